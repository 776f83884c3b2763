import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { ConversationMessage } from '#shared/chat.ts';
import type { Question } from './question.ts';
import { interruptedText, stepOf } from './unfinished-answer.tsx';

/** For screen readers: that something is looked for, and the answer once it is whole. Not word by word as it comes. */
export function Said({ questions, messages }: { questions: Question[]; messages: ConversationMessage[] }) {
  const last = questions.at(-1);
  const answer = messages.at(-1);
  const [hasAsked, setHasAsked] = useState(false);
  const asking = last?.state === 'asking';
  if (asking && !hasAsked) setHasAsked(true);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {last
        ? wordsOf(last)
        : hasAsked && answer?.role === 'assistant'
          ? `Answer: ${withoutMarks(answer.content)}`
          : ''}
    </VisuallyHidden>
  );
}

function wordsOf(question: Question): string {
  if (question.state === 'asking') return stepOf(question);
  if (question.state === 'stopped') return 'The answer was stopped.';
  if (question.state === 'interrupted') return `There is no answer: ${interruptedText}`;
  if (question.state === 'answered') return `Answer: ${withoutMarks(question.text)}`;
  return `There is no answer: ${question.failure?.message ?? ''}`;
}

const withoutMarks = (text: string) => text.replaceAll(/\s?\[\d[\d\s,;]*\]/g, '');
