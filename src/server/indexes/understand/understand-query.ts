import { tokenize } from '#server/engine/search-index.ts';
import type { UnderstoodPart } from '#shared/search.ts';
import { numberPhraseAt } from './number-phrases.ts';
import { phraseOf, type Vocabulary } from './vocabulary.ts';

/** What of a query is a condition, and what is left of it to search for. */
export interface UnderstoodQuery {
  text: string;
  parts: UnderstoodPart[];
}

interface Found {
  start: number;
  end: number;
  /** The word behind it. */
  next: number;
  field: string;
  clause: string;
  isNumber: boolean;
}

/** Of what is typed; behind so many words nothing is looked for. */
const wordsMax = 64;
const partsMax = 10;
/** Of a value. */
const valueWordsMax = 6;
/** Before a name they belong to it: "paintings by turner". */
const beforeNames = new Set(['by', 'starring']);

/**
 * Reads values of fields, amounts and years in a query, from left to right, the longest first. Where nothing else is typed values are words: those find
 * the documents that have them, and others. `skipped`: phrases that mean nothing but their words.
 */
export function understandQuery(
  text: string,
  { values, numbers }: Vocabulary,
  skipped: readonly string[],
): UnderstoodQuery {
  const words = tokenize(text).slice(0, wordsMax);
  const isLiteral = inOperators(text);
  const unwanted = new Set(skipped.map(phraseOf));
  let found: Found[] = [];
  for (let at = 0; at < words.length && found.length < partsMax; ) {
    const one = isLiteral(words[at]?.start ?? 0) ? null : foundAt(at);
    if (one && !unwanted.has(phraseOf(text.slice(one.start, one.end)))) found.push(one);
    at = one?.next ?? at + 1;
  }
  if (tokenize(textWithout(text, found)).length === 0) found = found.filter(({ isNumber }) => isNumber);
  const parts = found.map(({ start, end, field, clause }) => ({
    phrase: text.slice(start, end),
    field,
    filter_by: clause,
  }));
  return { text: parts.length === 0 ? text : textWithout(text, found) || '*', parts };

  function foundAt(at: number): Found | null {
    const number = numberPhraseAt({ text, words, fields: numbers }, at);
    if (number) return { ...number, isNumber: true };
    const first = beforeNames.has(words[at]?.token ?? '') ? at + 1 : at;
    for (let count = Math.min(valueWordsMax, words.length - first); count > 0; count -= 1) {
      const own = words.slice(first, first + count);
      const value = values.get(own.map(({ token }) => token).join(' '));
      const last = own.at(-1);
      if (!value || !last || own.some(({ start }) => isLiteral(start))) continue;
      return { start: words[at]?.start ?? 0, end: last.end, next: first + count, ...value, isNumber: false };
    }
    return null;
  }
}

/** Whether a place lies in quotation marks or in an excluded word: what stands there is meant as it is. */
function inOperators(text: string): (place: number) => boolean {
  const spans = [...text.matchAll(/["“”„][^"“”„]*["“”„]|(?<=^|\s)-\S+/g)].map(({ index, 0: quoted }) => [
    index,
    index + quoted.length,
  ]);
  return (place) => spans.some(([start = 0, end = 0]) => place >= start && place < end);
}

function textWithout(text: string, found: Found[]): string {
  const bounds = [0, ...found.flatMap(({ start, end }) => [start, end]), text.length];
  const kept = bounds.flatMap((from, i) => (i % 2 === 0 ? [text.slice(from, bounds[i + 1])] : []));
  const left = kept.join(' ').replaceAll(/\s+/g, ' ').trim();
  return tokenize(left).length > 0 ? left : '';
}
