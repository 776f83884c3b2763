import { Button, Code, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  pencilIcon,
  playerStopIcon,
  refreshIcon,
  xIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import type { ChatModel } from '#shared/chat.ts';
import { withoutBegunMark } from './answer-parts.ts';
import { AnswerText } from './answer-text.tsx';
import type { Question } from './question.ts';
import classes from './turns.module.css';

interface UnfinishedAnswerProps {
  question: Question;
  /** Something is being answered. */
  isWaiting: boolean;
  onAskAgain: (change?: { model: ChatModel }) => void;
  onEdit: () => void;
  onDiscard: () => void;
}

/** An answer on its way, or what came of one that was stopped or broke off. */
export function UnfinishedAnswer({ question, ...on }: UnfinishedAnswerProps) {
  const { text, sources, state, model } = question;
  const isAsking = state === 'asking';
  return (
    <article className={classes['answer']} aria-label={`Answer of ${model}`} aria-busy={isAsking}>
      <p className={classes['by']}>{model}</p>
      {text !== '' && (
        <div data-coming={isAsking || undefined} className={classes['coming']}>
          <AnswerText
            text={isAsking ? withoutBegunMark(text) : text}
            model={model}
            sentences={[]}
            sources={sources ?? []}
          />
        </div>
      )}
      {isAsking && text === '' && <p className={classes['waiting']}>{stepOf(question)}</p>}
      {!isAsking && state !== 'answered' && <WhyNot question={question} {...on} />}
    </article>
  );
}

/** What is being done. */
export function stepOf({ sources }: Pick<Question, 'sources'>): string {
  if (sources === null) return 'Looking through the documents…';
  return sources.length === 1 ? 'Reading 1 document…' : `Reading ${sources.length} documents…`;
}

export const interruptedText = 'The page was left before the answer was whole.';

/** Why there is no answer. */
function reasonOf({ state, failure }: Question): string {
  if (state === 'interrupted') return interruptedText;
  return failure ? failure.message : 'You stopped this answer.';
}

function WhyNot({ question, isWaiting, onAskAgain, onEdit, onDiscard }: UnfinishedAnswerProps) {
  const { state, failure, text } = question;
  return (
    <div className={classes['failed']} data-failed={state === 'failed' || undefined}>
      <Icon shape={state === 'failed' ? alertTriangleIcon : playerStopIcon} size={18} />
      <div>
        <Text size="sm">{reasonOf(question)}</Text>
        {text !== '' && (
          <Text size="sm">What came of it is kept on this page, but not in the conversation.</Text>
        )}
        <div className={classes['ways']}>
          {failure?.isOfModel ? (
            <Button
              size="compact-sm"
              variant="default"
              disabled={isWaiting}
              onClick={() => onAskAgain({ model: 'vector-ai' })}
            >
              Ask vector-ai instead
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              disabled={isWaiting}
              leftSection={<Icon shape={refreshIcon} size={16} />}
              onClick={() => onAskAgain()}
            >
              Ask again
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={isWaiting}
            leftSection={<Icon shape={pencilIcon} size={16} />}
            onClick={onEdit}
          >
            Edit the question
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<Icon shape={xIcon} size={16} />}
            onClick={onDiscard}
          >
            Discard
          </Button>
          {text !== '' && <CopyButton label="Copy what came" value={text} />}
          {failure?.requestId && (
            <Text size="xs" c="dimmed" span>
              Request <Code>{failure.requestId}</Code>
            </Text>
          )}
        </div>
      </div>
    </div>
  );
}
