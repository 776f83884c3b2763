/**
 * Queries that ask for values of fields: a person and a genre, a year and a word of a title. Judged by construction: a document with all the
 * values that were asked for is the best there is, one with all but one still answers where the most telling value is there.
 */

import { RandomNumbers } from '#server/random-numbers.ts';
import type { CorpusRow, JudgedQuery, JudgedSet } from './judged-set.ts';

/** A value that a query asks for: of a field, or a word of a text. */
interface Wanted {
  field: string;
  value: string;
}

/** Which fields are asked for, by query; a document is asked for by its own values. */
export type Forms = readonly (readonly string[])[];

/** More documents have it than anybody judges. */
const holdersMax = 400;

export function valueSet(
  name: string,
  { rows, forms, count, seed }: { rows: readonly CorpusRow[]; forms: Forms; count: number; seed: number },
): JudgedSet {
  const holders = holdersOf(rows, new Set(forms.flat()));
  const random = new RandomNumbers(seed);
  const queries: JudgedQuery[] = [];
  for (let i = 0; queries.length < count && i < 50 * count; i += 1) {
    const wanted = wantedOf(random.pick(rows), forms[i % forms.length] ?? [], random);
    const grades = wanted === null ? null : gradesOf(wanted, holders);
    if (wanted === null || grades === null || grades.size === 0) continue;
    const text = wanted.map(({ value }) => value.toLowerCase()).join(' ');
    queries.push({ id: String(i), text, grades });
  }
  return { name, queries };
}

function wantedOf(row: CorpusRow, form: readonly string[], random: RandomNumbers): Wanted[] | null {
  const wanted: Wanted[] = [];
  for (const field of form) {
    const values = valuesOf(row, field);
    if (values.length === 0) return null;
    wanted.push({ field, value: random.pick(values) });
  }
  return wanted;
}

function gradesOf(wanted: Wanted[], holders: Map<string, Set<string>>): Map<string, number> | null {
  const sets = wanted.map((each) => holders.get(keyOf(each)) ?? new Set<string>());
  const rarest = sets.reduce((least, each) => (each.size < least.size ? each : least));
  if (rarest.size > holdersMax) return null;
  const grades = new Map<string, number>();
  for (const id of rarest) {
    const held = sets.filter((set) => set.has(id)).length;
    if (held === sets.length) grades.set(id, 3);
    else if (held === sets.length - 1) grades.set(id, 1);
  }
  return grades;
}

function holdersOf(rows: readonly CorpusRow[], fields: Set<string>): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const field of fields) {
      for (const value of valuesOf(row, field)) {
        const key = keyOf({ field, value });
        const ids = holders.get(key) ?? new Set<string>();
        holders.set(key, ids.add(row._id));
      }
    }
  }
  return holders;
}

/** Of `title:word` and the like the telling words of the text. */
function valuesOf(row: CorpusRow, field: string): string[] {
  const [name = '', part] = field.split(':');
  const value = row[name];
  const values = (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  );
  if (part === undefined) return values.filter((each) => each !== '' && each.length < 60);
  return values.flatMap((each) => each.match(/\p{L}{5,}/gu) ?? []);
}

const keyOf = ({ field, value }: Wanted): string => `${field}\n${value.toLowerCase()}`;
