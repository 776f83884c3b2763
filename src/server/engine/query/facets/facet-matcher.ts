import { fold, isAscii, wordPattern } from '../../text/fold.ts';
import { escapeHtml } from '../../text/html.ts';
import { joinsBefore } from '../../text/stream-safe.ts';
import type { FacetRequest } from '../../types.ts';

/** Which values of a field are asked for. */
export interface FacetMatcher {
  isMatch(value: string): boolean;
  /** A value that matches, as HTML with its match marked. */
  marked(value: string): string;
}

/**
 * What `facet_query` asks of one field's values: that the value or a word in it begins with the text, case and Unicode form aside.
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
  const prefix = fold((isNamed ? facetQuery.slice(colon + 1) : facetQuery).trim());
  if (prefix === '') return null;
  return {
    isMatch: (value) => matchStart(searchedOf(value), prefix) >= 0,
    marked: (value) => markPrefix(value, prefix),
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
  const end = start + matchedLength(searched.slice(start), prefix);
  const marked = `<mark>${escapeHtml(value.slice(start, end))}</mark>`;
  return escapeHtml(value.slice(0, start)) + marked + escapeHtml(value.slice(end));
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
