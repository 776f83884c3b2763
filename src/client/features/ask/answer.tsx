import { ActionIcon, Button } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon, refreshIcon } from '#client/components/display/icon-shapes.gen.ts';
import { AnchorLink } from '#client/components/display/links.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import type { AssistantMessage } from '#shared/chat.ts';
import { answerAsText } from './answer-parts.ts';
import { AnswerText } from './answer-text.tsx';
import { numbered, SourceList } from './source-list.tsx';
import classes from './turns.module.css';

interface AnswerProps {
  message: AssistantMessage;
  isWaiting: boolean;
  onAskAgain: () => void;
  onOpenSource: (number: number, sentence: number | null) => void;
}

/** An answer of the record: what it says, by which documents, and whether these are still what they were. */
export function Answer({ message, isWaiting, onAskAgain, onOpenSource }: AnswerProps) {
  const { content, answered, model, sources, sentences, stale, staleSources } = message;
  const cited = citedOf(message);
  return (
    <article className={classes['answer']} aria-label={`Answer of ${model}`}>
      <p className={classes['by']}>{model}</p>
      <AnswerText
        text={content}
        model={model}
        sentences={sentences}
        sources={sources}
        onOpen={onOpenSource}
      />
      {!answered && <NothingFound message={message} />}
      {sentences.some(({ supported }) => !supported) && (
        <p className={classes['note']}>
          What is underlined with dots is not in the sources: check it before you rely on it.
        </p>
      )}
      {stale && (
        <div className={classes['stale']} role="note">
          <Icon shape={alertTriangleIcon} size={18} />
          <span>
            {staleSources.length === 1
              ? `Source ${staleSources[0]} was changed or deleted since.`
              : `Sources ${staleSources.join(', ')} were changed or deleted since.`}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isWaiting}
            leftSection={<Icon shape={refreshIcon} size={16} />}
            onClick={onAskAgain}
          >
            Ask again
          </Button>
        </div>
      )}
      <SourceList
        cited={numbered(sources).filter(({ number }) => cited.has(number))}
        others={answered ? numbered(sources).filter(({ number }) => !cited.has(number)) : []}
        stale={staleSources}
        onOpen={(number) => onOpenSource(number, null)}
      />
      <div className={classes['actions']}>
        <CopyButton
          label="Copy answer"
          value={answerAsText(
            content,
            numbered(sources).filter(({ number }) => cited.has(number)),
          )}
          description="The answer with its sources"
        />
        {!stale && (
          <Tip label="Ask again">
            <ActionIcon aria-label="Ask again" disabled={isWaiting} onClick={onAskAgain}>
              <Icon shape={refreshIcon} />
            </ActionIcon>
          </Tip>
        )}
      </div>
    </article>
  );
}

function citedOf({ sentences }: Pick<AssistantMessage, 'sentences'>): Set<number> {
  return new Set(sentences.flatMap(({ citations }) => citations.map(({ source }) => source)));
}

/** What to do about it. */
function NothingFound({ message }: { message: AssistantMessage }) {
  const [only, ...others] = message.collections;
  return (
    <p className={classes['note']}>
      Nothing is made up here. Ask in other words or of other collections, or{' '}
      <AnchorLink
        to="/search"
        search={{ q: message.question, ...(only && others.length === 0 && { collection: only.id }) }}
        inherit
        underline="always"
      >
        look at what a search finds
      </AnchorLink>
      .
    </p>
  );
}
