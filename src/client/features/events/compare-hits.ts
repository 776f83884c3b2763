import type { AnswerList, KeptHit } from '#shared/requests.ts';

/** A document in the answer that there was and in today's. */
export interface ComparedHit {
  id: string;
  /** Places from 1; null: it is not among the first. */
  was: { place: number; score: number | null } | null;
  is: { place: number; score: number | null } | null;
  change: 'same' | 'score' | 'up' | 'down' | 'new' | 'gone';
}

/** Digits that a score is shown with, see `formatScore`. */
const shownDifference = 0.0005;

/** In today's order, and behind them what is gone. The same document may be in several collections of one list: the first of each is paired with the first. */
export function compareHits(then: readonly KeptHit[], now: readonly KeptHit[]): ComparedHit[] {
  const before = new Map<string, { place: number; score: number | null }[]>();
  for (const [i, { id, score }] of then.entries())
    before.set(id, [...(before.get(id) ?? []), { place: i + 1, score }]);
  const compared = now.map(({ id, score }, i): ComparedHit => {
    const place = { place: i + 1, score };
    const old = before.get(id)?.shift() ?? null;
    return { id, was: old, is: place, change: changeOf(old, place) };
  });
  const gone = [...before].flatMap(([id, places]) =>
    places.map((place): ComparedHit => ({ id, was: place, is: null, change: 'gone' })),
  );
  const placeOf = ({ was: old }: ComparedHit) => old?.place ?? 0;
  return [...compared, ...gone.toSorted((a, b) => placeOf(a) - placeOf(b))];
}

function changeOf(
  then: ComparedHit['was'],
  now: { place: number; score: number | null },
): ComparedHit['change'] {
  if (then === null) return 'new';
  if (now.place !== then.place) return now.place < then.place ? 'up' : 'down';
  const difference = Math.abs((now.score ?? 0) - (then.score ?? 0));
  return difference >= shownDifference ? 'score' : 'same';
}

/** What has changed, in a sentence. */
export function comparisonSentence(then: AnswerList, now: AnswerList, hits: readonly ComparedHit[]): string {
  const count = (...changes: ComparedHit['change'][]) =>
    hits.filter(({ change }) => changes.includes(change)).length;
  const parts = [
    [count('new'), 'new'],
    [count('gone'), 'gone'],
    [count('up', 'down'), 'moved'],
    [count('score'), 'with another score'],
  ].flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const found =
    then.found === now.found ? [] : [`found ${then.found ?? 'nothing'} then, ${now.found ?? 'nothing'} now`];
  const all = [...parts, ...found];
  return all.length === 0 ? 'The answer is the same as it was.' : `${sentence(all.join(', '))}.`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
