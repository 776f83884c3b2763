import type { AssistantMessage, ConversationMessage } from '#shared/chat.ts';
import { Answer } from './answer.tsx';
import type { OpenSource } from './ask-state.ts';
import type { Askable } from './choose-collections.ts';
import type { Question } from './question.ts';
import { dismiss } from './questions.ts';
import classes from './turns.module.css';
import { UnfinishedAnswer } from './unfinished-answer.tsx';

interface TurnsProps {
  messages: ConversationMessage[];
  /** What is not in the record: it comes behind what is. */
  questions: Question[];
  askable: Askable;
  isWaiting: boolean;
  onAsk: (message: string, change?: Partial<Pick<Question, 'collections' | 'model'>>) => void;
  /** Back into the field. */
  onEdit: (message: string) => void;
  onOpenSource: (source: OpenSource) => void;
}

/** Questions and answers, the first ones first. */
export function Turns({ messages, questions, askable, isWaiting, onAsk, ...on }: TurnsProps) {
  /** Of the same collections, as far as they can be asked still. */
  const askAgain = ({ question, model, collections }: AssistantMessage) => {
    const ids = collections
      .map(({ id }) => id)
      .filter((id) => askable.inProject.some((one) => one.id === id));
    onAsk(question, { model, ...(ids.length > 0 && { collections: ids }) });
  };
  return (
    <ol className={classes['turns']}>
      {messages.map((message, i) =>
        message.role === 'user' ? (
          <Asked key={message.id} text={message.content} understood={questionOf(messages[i + 1])} />
        ) : (
          <li key={message.id}>
            <Answer
              message={message}
              isWaiting={isWaiting}
              onAskAgain={() => askAgain(message)}
              onOpenSource={(number, sentence) => on.onOpenSource({ message: message.id, number, sentence })}
            />
          </li>
        ),
      )}
      {questions.flatMap((question) => {
        const { key, message, collections, model } = question;
        return [
          <Asked key={`asked ${key}`} text={message} understood={question.understood} />,
          <li key={key}>
            <UnfinishedAnswer
              question={question}
              isWaiting={isWaiting}
              onAskAgain={(change) => {
                dismiss(key);
                onAsk(message, { collections, model, ...change });
              }}
              onEdit={() => {
                dismiss(key);
                on.onEdit(message);
              }}
              onDiscard={() => dismiss(key)}
            />
          </li>,
        ];
      })}
    </ol>
  );
}

function questionOf(answer: ConversationMessage | undefined): string | null {
  return answer?.role === 'assistant' ? answer.question : null;
}

/** `understood`: with what the question takes from the conversation put in; null: it is not known. */
function Asked({ text, understood }: { text: string; understood: string | null }) {
  return (
    <li className={classes['asked']}>
      <p className={classes['message']} dir="auto">
        <span className={classes['who']}>You asked: </span>
        {text}
      </p>
      {understood !== null && understood !== text && (
        <p className={classes['understood']} dir="auto">
          Understood as “{understood}”
        </p>
      )}
    </li>
  );
}
