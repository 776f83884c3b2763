import { VisuallyHidden } from '@mantine/core';
import { Tip } from '#client/components/later/tip.tsx';
import type { AnswerSentence, ChatModel, ChatSource } from '#shared/chat.ts';
import { answerParts } from './answer-parts.ts';
import classes from './answer-text.module.css';

interface AnswerTextProps {
  text: string;
  model: ChatModel;
  /** Empty while they are not known. */
  sentences: AnswerSentence[];
  sources: ChatSource[];
  /** Absent: they cannot be opened yet. */
  onOpen?: (number: number, sentence: number | null) => void;
}

/** What is said, each sentence with the numbers of its sources; what no source says is marked. */
export function AnswerText({ text, model, sentences, sources, onOpen }: AnswerTextProps) {
  const parts = answerParts({ text, model, sentences, sources: sources.length });
  return (
    <div className={classes['text']} dir="auto">
      {parts.map((part) =>
        part.kind === 'words' ? (
          <Words key={part.start} {...part} />
        ) : (
          part.numbers.map((number) => (
            <SourceNumber
              key={`${part.start} ${number}`}
              number={number}
              title={sources[number - 1]?.title ?? ''}
              {...(onOpen && { onOpen: () => onOpen(number, part.sentence) })}
            />
          ))
        ),
      )}
    </div>
  );
}

function Words({ text, isSupported }: { text: string; isSupported: boolean }) {
  if (isSupported) return text;
  return (
    <span className={classes['unsupported']}>
      {text}
      <VisuallyHidden component="span"> (no source says this)</VisuallyHidden>
    </span>
  );
}

function SourceNumber({ number, title, onOpen }: { number: number; title: string; onOpen?: () => void }) {
  if (!onOpen) return <span className={classes['number']}>{number}</span>;
  return (
    <Tip label={title}>
      <button
        type="button"
        className={classes['number']}
        aria-label={`Source ${number}: ${title}`}
        onClick={onOpen}
      >
        {number}
      </button>
    </Tip>
  );
}
