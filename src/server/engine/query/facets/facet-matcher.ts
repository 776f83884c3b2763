import { fold, isAscii, wordPattern } from '../../text/fold.ts';
import { escapeHtml } from '../../text/html.ts';
import { joinsBefore } from '../../text/stream-safe.ts';
import type { FacetRequest } from '../../types.ts';
import { type Span, WordMatcher } from './word-matcher.ts';

/** Which values of a field are asked for. */
export interface ValueMatcher {
  /** Of work, to ask it of a value. */
  units: number;
  isMatch(value: string): boolean;
  /** A value that matches, as HTML with its match marked. */
  marked(value: string): string;
}

interface FacetMatcher extends ValueMatcher {
  /** The same with up to so many typos in a word. */
  near(typosMax: number): ValueMatcher;
}

const wordsOnly = /^[\p{L}\p{N}\p{M}\s]+$/u;

const exactUnits = 768;
const nearUnits = 4_096;

/**
 * What `facet_query` asks of one field's values: that the value or a word in it begins with the text, case and Unicode form aside; or that
 * words of it are those of the text, accents aside too, the last one or its beginning.
 * `brand:ac` asks it of `brand` only; a text without one of the requested fields before a colon is asked of all. Null: nothing is asked.
 */
export function facetMatcher(
  facetQuery: string | null,
  field: string,
  requests: FacetRequest[],
): FacetMatcher | null {
  if (facetQuery === null) return null;
  const colon = facetQuery.indexOf(':');
  const named = colon < 0 ? '' : facetQuery.slice(0, colon).trim();
  const isNamed = requests.some((request) => request.field === named);
  if (isNamed && named !== field) return null;
  const text = (isNamed ? facetQuery.slice(colon + 1) : facetQuery).trim();
  const prefix = fold(text);
  if (prefix === '') return null;
  // A sign that was typed is asked for too.
  const words = wordsOnly.test(text) ? new WordMatcher(text, 0) : null;
  const startOf = (value: string) => matchStart(searchedOf(value), prefix);
  const wordsIn = (value: string) => words?.find(searchedOf(value)) ?? null;
  return {
    units: exactUnits,
    isMatch: (value) => startOf(value) >= 0 || wordsIn(value) !== null,
    marked: (value) => (startOf(value) >= 0 ? markPrefix(value, prefix) : markSpan(value, wordsIn(value))),
    near: (typosMax) => {
      const near = new WordMatcher(text, typosMax);
      return {
        units: nearUnits,
        isMatch: (value) => near.find(searchedOf(value)) !== null,
        marked: (value) => markSpan(value, near.find(searchedOf(value))),
      };
    },
  };
}

/** Values are short; of a long text only the beginning is looked at. */
const searchedCharactersMax = 1_024;

const searchedOf = (value: string): string => value.slice(0, searchedCharactersMax);

/** Where a word, or the text, begins with the folded prefix; −1: nowhere. Linear: what stands between two words is folded once. */
function matchStart(text: string, prefix: string): number {
  const starts = [0];
  for (const { index } of text.matchAll(wordPattern)) {
    // A mark belongs to what stands before it.
    if (index > 0 && !joinsBefore(text, index)) starts.push(index);
  }
  const offsets: number[] = [];
  let folded = '';
  for (const [i, start] of starts.entries()) {
    offsets.push(folded.length);
    folded += fold(text.slice(start, starts[i + 1]));
  }
  return starts[offsets.findIndex((offset) => folded.startsWith(prefix, offset))] ?? -1;
}

function markPrefix(value: string, prefix: string): string {
  const searched = searchedOf(value);
  const start = matchStart(searched, prefix);
  if (start < 0) return escapeHtml(value);
  return markSpan(value, { start, end: start + matchedLength(searched.slice(start), prefix) });
}

function markSpan(value: string, span: Span | null): string {
  if (span === null) return escapeHtml(value);
  const marked = `<mark>${escapeHtml(value.slice(span.start, span.end))}</mark>`;
  return escapeHtml(value.slice(0, span.start)) + marked + escapeHtml(value.slice(span.end));
}

/** The shortest beginning whose folded form holds the prefix, in whole characters; folding may lengthen or shorten. */
function matchedLength(text: string, prefix: string): number {
  if (isAscii(text)) return prefix.length;
  let length = 0;
  for (const { segment } of characters(text)) {
    length += segment.length;
    if (fold(text.slice(0, length)).startsWith(prefix)) return length;
  }
  return text.length;
}

const characterPattern = /\P{M}\p{M}*|\p{M}+/gu;

/** A base with its marks at a time, so that a mark element never parts an accent from its letter. */
function* characters(text: string): Generator<{ segment: string }> {
  for (const [segment] of text.matchAll(characterPattern)) yield { segment };
}
