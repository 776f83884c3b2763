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
