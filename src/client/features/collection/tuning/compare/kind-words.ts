import { type ComparedKind, comparedKinds } from '#shared/comparisons.ts';

export const kindNames: Record<ComparedKind, string> = {
  emptied: 'Became empty',
  rescued: 'Now finds something',
  lost: 'Lost',
  gained: 'Gained',
  moved: 'Moved',
  same: 'Same',
};

const parts: Record<ComparedKind, string> = {
  emptied: 'became empty',
  rescued: 'finding something now',
  lost: 'lost',
  gained: 'gained',
  moved: 'moved',
  same: 'the same',
};

/** "Of 4 queries: 1 lost, 3 the same." */
export function countWords(queries: number, counts: Record<ComparedKind, number>): string {
  const some = comparedKinds.filter((kind) => counts[kind] > 0);
  const told = some.map((kind) => `${counts[kind]} ${parts[kind]}`).join(', ');
  return `Of ${queries} ${queries === 1 ? 'query' : 'queries'}: ${told}.`;
}

const smallest = 0.0005;

/** "better by 0.125" */
export function differenceWords(before: number, after: number, text: (share: number) => string): string {
  const change = after - before;
  if (Math.abs(change) < smallest) return 'unchanged';
  return `${change > 0 ? 'better' : 'worse'} by ${text(Math.abs(change))}`;
}
