import { createHash } from 'node:crypto';
import { type GroupValue, parseDate, type TypedValues } from '#server/engine/search-index.ts';

type Values = Pick<TypedValues, 'strings' | 'numbers' | 'booleans' | 'dates' | 'isDeclaredDate'>;

/** What documents of one group have in common in a field: the value, several in the order of their types, or null. */
export function groupValue(field: Values | undefined): GroupValue | GroupValue[] | null {
  const values = field === undefined ? [] : typedLists(field).flat();
  const [first = null] = values;
  return values.length > 1 ? values : first;
}

/** The same as a text that is short and differs where they do; null: the document has none. */
export function groupKey(field: Values): string | null {
  const lists = typedLists(field);
  if (lists.every((list) => list.length === 0)) return null;
  const areLong = field.strings.flatMap(({ label, isLong }) => (isLong ? [label] : []));
  const text = JSON.stringify([...lists, ...(areLong.length > 0 ? [areLong.sort()] : [])]);
  return text.length <= writtenMax ? text : createHash('sha256').update(text).digest('base64url');
}

/** Of a hash in base64. */
const writtenMax = 43;

/** Texts, numbers, booleans, dates that were not written as texts. */
function typedLists({ strings, numbers, booleans, dates, isDeclaredDate }: Values): GroupValue[][] {
  const labels = strings.map(({ label }) => label);
  const written = new Set(labels.map((label) => parseDate(label)));
  const others = isDeclaredDate ? dates.filter((seconds) => !written.has(seconds)) : [];
  return [labels, numbers, booleans, others].map((list: GroupValue[]) => list.toSorted(compareValues));
}

/** Of one type; texts by code unit. */
function compareValues(a: GroupValue, b: GroupValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
