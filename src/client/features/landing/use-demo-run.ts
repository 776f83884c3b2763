import { useCallback, useEffect, useState } from 'react';

/** What a visitor would not think of typing into a search box, one that the shop cannot answer among them. */
const queries = [
  'something to keep me warm',
  'my back hurts at work',
  'cadeau pour amateur de café',
  'qqqxyz',
];
const letterMs = 45;
/** To read what a query has found. */
const pauseMs = 2_600;

/** So many letters of one of the queries. */
interface Step {
  query: number;
  letters: number;
}

/** Types queries into the search box, one after the other, as a visitor would; each is searched for. */
export function useDemoRun(onType: (text: string) => void): {
  isRunning: boolean;
  start: () => void;
  stop: () => void;
} {
  const [step, setStep] = useState<Step | null>(null);
  useEffect(() => {
    if (step === null) return;
    const text = queries[step.query] ?? '';
    onType(text.slice(0, step.letters));
    const waitMs = step.letters < text.length ? letterMs : pauseMs;
    const timer = setTimeout(() => setStep(stepAfter(step)), waitMs);
    return () => clearTimeout(timer);
  }, [step, onType]);
  return {
    isRunning: step !== null,
    start: useCallback(() => setStep(firstStep(0)), []),
    stop: useCallback(() => setStep(null), []),
  };
}

function stepAfter({ query, letters }: Step): Step | null {
  const text = queries[query] ?? '';
  if (letters < text.length) return { query, letters: letters + 1 };
  return query + 1 < queries.length ? firstStep(query + 1) : null;
}

/** Who asked for little motion sees whole queries. */
function firstStep(query: number): Step {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return { query, letters: isStill ? (queries[query] ?? '').length : 1 };
}
