import { quoted } from '#client/lib/quoted.ts';
import type { DeclaredField, FieldType } from '#shared/collections.ts';

/** A field as the index knows it. */
export interface KnownField {
  path: string;
  /** Of each type, how many documents have a value of it; the declared one first. */
  counts: { type: FieldType; documentCount: number }[];
  isDeclared: boolean;
  documentCount: number;
}

/** Documents whose values are of another type than those of most. */
interface Oddity {
  text: string;
  /** Shows these documents; null: there is no filter that does. */
  filter: string | null;
}

/** Declared ones first, in their order, then by how many documents have them. */
export function inReadingOrder(fields: KnownField[]): KnownField[] {
  return fields.toSorted(
    (a, b) =>
      Number(b.isDeclared) - Number(a.isDeclared) || (a.isDeclared ? 0 : b.documentCount - a.documentCount),
  );
}

/** Its values' types, the most frequent first. A text that is a date is both: it counts as the date. */
export function typesOf({ counts }: Pick<KnownField, 'counts'>): KnownField['counts'] {
  const dates = countOf(counts, 'date');
  return counts
    .map(({ type, documentCount }) =>
      type === 'string'
        ? { type, documentCount: Math.max(0, documentCount - dates) }
        : { type, documentCount },
    )
    .filter(({ documentCount }) => documentCount > 0)
    .toSorted((a, b) => b.documentCount - a.documentCount);
}

/** Filters that a path can stand in as it is. */
const isOrdered = { number: true, date: true, string: false, boolean: false, geopoint: false };

/** What differs from what most documents have, or from what is declared. */
export function odditiesOf(field: KnownField, declared: DeclaredField | undefined): Oddity[] {
  const types = typesOf(field);
  const usual = declared?.type ?? types[0]?.type;
  if (usual === undefined) return [];
  const name = quoted(field.path);
  const numbers = `(${name}:>=0 || ${name}:<0)`;
  return types
    .filter(({ type }) => type !== usual)
    .map(({ type, documentCount }) => ({
      text: `${documentCount} with ${type === 'boolean' ? 'true or false' : `a ${nameOf(type)}`}`,
      filter: filterFor({ type, usual, name, numbers, isAlone: types.length === 2 }),
    }));
}

interface Wanted {
  type: FieldType;
  usual: FieldType;
  name: string;
  /** Documents with a number. */
  numbers: string;
  /** There is no third type. */
  isAlone: boolean;
}

function filterFor({ type, usual, name, numbers, isAlone }: Wanted): string | null {
  if (type === 'number') return numbers;
  return usual === 'number' && isAlone && !isOrdered[type] ? `${name}:* && !${numbers}` : null;
}

/** Shows the documents without a field. */
export function filterWithout(path: string): string {
  return `!${quoted(path)}:*`;
}

const names: Record<FieldType, string> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  date: 'date',
  geopoint: 'place',
};

/** A type as people call it. */
export function nameOf(type: FieldType): string {
  return names[type];
}

function countOf(counts: KnownField['counts'], type: FieldType): number {
  return counts.find((one) => one.type === type)?.documentCount ?? 0;
}
