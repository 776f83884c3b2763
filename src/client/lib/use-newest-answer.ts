import { hashKey, type QueryKey, useQueries } from '@tanstack/react-query';
import { useState } from 'react';

/** Under way at once: those that will answer first, and the newest. More would make each other slow. */
const underWayMax = 3;
/** Every key typed is an answer. */
const keptForMs = 60_000;

export interface Question<Answer> {
  key: QueryKey;
  ask: (signal: AbortSignal) => Promise<Answer>;
  /** The ids of those that are asked. */
  collections: number[];
}

interface Asked<Answer> extends Question<Answer> {
  hash: string;
}

export interface NewestAnswer<Answer> {
  /** The newest complete one, be it to an earlier question. */
  answer: Answer | undefined;
  /** `answer` is that to the question. */
  isCurrent: boolean;
  /** Why the question has no answer. */
  error: unknown;
  isFetching: boolean;
  askAgain: () => void;
}

/** A question as the cache takes it: one that is asked there ahead is not asked again. */
export function toQuery<Answer>({ key, ask, collections }: Question<Answer>) {
  return {
    queryKey: key,
    meta: { collections },
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(signal),
    gcTime: keptForMs,
  };
}

/**
 * Questions that replace each other faster than they are answered, as when somebody types: each answer is shown when it is complete, unless a newer one
 * is there. What is older than the shown answer is given up, what is newer never, but for those between the oldest under way and the newest.
 */
export function useNewestAnswer<Answer>(question: Question<Answer> | null): NewestAnswer<Answer> {
  const [asked, setAsked] = useState<Asked<Answer>[]>([]);
  const answers = useQueries({
    queries: asked.map(toQuery),
  });
  const shown = answers.findLastIndex(({ data }) => data !== undefined);
  const hash = question && hashKey(question.key);
  const newest = asked.at(-1);
  if (question && hash !== null && newest?.hash !== hash) {
    const underWay = asked.filter((one, i) => i > shown && one.hash !== hash && answers[i]?.isPending);
    const before = asked.filter((one, i) => i === shown && one.hash !== hash);
    setAsked([...before, ...underWay.slice(0, underWayMax - 1), { ...question, hash }]);
  } else if (!question && asked.length > 0) {
    setAsked([]);
  } else if (shown > 0) {
    setAsked(asked.slice(shown));
  }
  const last = answers.at(-1);
  const isAsked = newest?.hash === hash;
  return {
    answer: answers[shown]?.data,
    isCurrent: isAsked && shown === asked.length - 1,
    error: isAsked ? (last?.error ?? null) : null,
    isFetching: question !== null && (!isAsked || (last?.isFetching ?? false)),
    askAgain: () => void last?.refetch(),
  };
}
