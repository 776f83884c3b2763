import { tokenize } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { FacetCounts } from '#shared/search.ts';
import { pathText, valueText } from './filter-text.ts';

/** What words of a query may mean in a collection. */
export interface Vocabulary {
  /** By their folded words, with blanks between. */
  values: ReadonlyMap<string, KnownValue>;
  numbers: NumberField[];
}

export interface KnownValue {
  field: string;
  /** The condition that a filter has for it. */
  clause: string;
}

export interface NumberField {
  path: string;
  /** Of its name, folded: `acquisition_year` is acquisition, year. */
  words: string[];
  unit: 'number' | 'date';
  /** Of its values; of dates they are not known. */
  min: number;
  max: number;
}

/** Longer values are prose, not labels. */
const valueCharactersMax = 60;
const valueWordsMax = 6;
/** A single word is a value where the field has few: of a field with more it is most often just a word. */
const nominalValuesMax = 100;
/** A field is one of names when it has many values that look like names. */
const nameValuesMin = 20;
const nameShareMin = 0.6;
const familyNameCharactersMin = 3;

/** Values that are cut into words without a pause. */
const valuesAtOnce = 32;

/** The words of a text as values are known by. */
export function phraseOf(text: string): string {
  return tokenize(text)
    .map(({ token }) => token)
    .join(' ');
}

/**
 * Values of fields by their words; of several fields that of the one that has most documents with it. `documents`: how many have the field. A single
 * word is a value where each document has one, as a category, or where it is written as a name; a word among many is a tag, which says less.
 */
export function* knownValues(
  facets: FacetCounts[],
  documents: ReadonlyMap<string, number>,
): Steps<Map<string, KnownValue>> {
  const known = new Map<string, KnownValue & { count: number }>();
  for (const { field_name: field, counts } of facets) {
    const path = pathText(field);
    const isOfFew = counts.length <= nominalValuesMax;
    const isOne = counts.reduce((sum, { count }) => sum + count, 0) <= (documents.get(field) ?? 0);
    for (const [place, { value, count }] of counts.entries()) {
      if (place % valuesAtOnce === valuesAtOnce - 1) yield;
      const words = value.length > valueCharactersMax ? [] : tokenize(value);
      const mayBeOneWord = isOfFew && (isOne || /^\p{Lu}/u.test(value));
      const hasLetters = /\p{L}/u.test(value);
      if (!hasLetters || words.length < (mayBeOneWord ? 1 : 2) || words.length > valueWordsMax) continue;
      const phrase = words.map(({ token }) => token).join(' ');
      if (count <= (known.get(phrase)?.count ?? 0)) continue;
      known.set(phrase, { field, clause: `${path}:=${valueText(value)}`, count });
    }
  }
  return new Map([...known].map(([phrase, { field, clause }]) => [phrase, { field, clause }]));
}

interface FamilyName {
  word: string;
  field: string;
  clause: string;
  count: number;
}

/** Family names of the people that a field names, with the documents that have somebody called so. */
export function* familyNames(facets: FacetCounts[]): Steps<FamilyName[]> {
  const all: FamilyName[] = [];
  for (const { field_name: field, counts } of facets) {
    const names = counts.filter(({ value }) => looksLikeName(value));
    if (counts.length < nameValuesMin || names.length < counts.length * nameShareMin) continue;
    const byWord = new Map<string, { text: string; count: number }>();
    for (const [place, { value, count }] of names.entries()) {
      if (place % valuesAtOnce === valuesAtOnce - 1) yield;
      const last = tokenize(value).at(-1);
      if (!last || last.token.length < familyNameCharactersMin) continue;
      const before = byWord.get(last.token)?.count ?? 0;
      byWord.set(last.token, { text: value.slice(last.start, last.end), count: before + count });
    }
    const path = pathText(field);
    for (const [word, { text, count }] of byWord)
      all.push({ word, field, clause: `${path}:${valueText(text)}`, count });
    yield;
  }
  return all;
}

/** Two to five words, each with a capital letter; `de`, `van` and the like between. */
function looksLikeName(value: string): boolean {
  const words = value.split(/\s+/);
  return (
    words.length >= 2 &&
    words.length <= 5 &&
    words.every((word, i) => /^\p{Lu}/u.test(word) || (i > 0 && /^\p{Ll}{1,3}$/u.test(word)))
  );
}
