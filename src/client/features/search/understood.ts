import type { UnderstoodPart } from '#shared/search.ts';

/** A condition as people read it: `price:<30` is "price < 30", ``genres:=`Science Fiction` `` is "genres: Science Fiction". */
export function understoodLabel({ field, filter_by }: UnderstoodPart): string {
  const condition = filter_by.slice(filter_by.indexOf(':', pathLength(filter_by)) + 1);
  const [, sign, end] = /^([<>]=?)(.+)$/.exec(condition) ?? [];
  if (sign !== undefined) return `${field} ${sign.replace('<=', '≤').replace('>=', '≥')} ${end}`;
  const [, from, to] = /^\[(.+)\.\.(.+)\]$/.exec(condition) ?? [];
  if (from !== undefined) return `${field}: ${from} to ${to}`;
  const value = condition.replace(/^=/, '');
  return `${field}: ${value.startsWith('`') ? value.slice(1, -1).replaceAll('``', '`') : value}`;
}

/** Between backticks a path may have a colon. */
function pathLength(filter: string): number {
  return /^`(?:[^`]|``)*`/.exec(filter)?.[0].length ?? 0;
}

/** The phrases that the reader has taken back and that are still in the query. */
export function takenBack({ q, skip }: { q: string; skip: string[] }): string[] {
  const typed = q.toLowerCase();
  return skip.filter((phrase) => typed.includes(phrase.toLowerCase()));
}

/** What the query demands of every hit. */
export interface Demand {
  kind: 'phrase' | 'exclusion';
  text: string;
}

export function demandsOf({ phrases = [], excluded = [] }: { phrases?: string[]; excluded?: string[] }) {
  return [
    ...phrases.map((text): Demand => ({ kind: 'phrase', text })),
    ...excluded.map((text): Demand => ({ kind: 'exclusion', text })),
  ];
}

const isQuote = (character: string): boolean => /^["“”„]$/.test(character);

/** The query without a demand: the words of a phrase stay, what was left out goes. */
export function withoutDemand(q: string, { kind, text }: Demand): string {
  for (let at = q.indexOf(text); at >= 0; at = q.indexOf(text, at + 1)) {
    const isQuoted = isQuote(q.charAt(at - 1));
    const start = isQuoted ? at - 1 : at;
    const end = at + text.length;
    const after = q.slice(isQuoted && isQuote(q.charAt(end)) ? end + 1 : end);
    const isExcluded = q.charAt(start - 1) === '-';
    if (kind === 'exclusion' && isExcluded) return tidy(q.slice(0, start - 1) + after);
    if (kind === 'phrase' && isQuoted && !isExcluded) return tidy(q.slice(0, start) + text + after);
  }
  return q;
}

const tidy = (q: string): string => q.replaceAll(/\s+/g, ' ').trim();
