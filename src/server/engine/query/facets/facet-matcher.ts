import { fold, wordPattern } from '../../text/fold.ts';
import { escapeHtml } from '../../text/html.ts';
import type { FacetRequest } from '../../types.ts';

/** Answers a value with its match marked, or null where it does not match. */
export type FacetMatcher = (value: string) => string | null;

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
  return (value) => markPrefix(value, prefix);
}

/** Values are short; of a long text only the beginning is looked at. */
const searchedCharactersMax = 1_024;

function markPrefix(value: string, prefix: string): string | null {
  const searched = value.slice(0, searchedCharactersMax);
  const starts = [0, ...Array.from(searched.matchAll(wordPattern), (word) => word.index)];
  for (const start of starts) {
    const rest = searched.slice(start);
    if (!fold(rest).startsWith(prefix)) continue;
    const end = start + matchedLength(rest, prefix);
    const marked = `<mark>${escapeHtml(value.slice(start, end))}</mark>`;
    return escapeHtml(value.slice(0, start)) + marked + escapeHtml(value.slice(end));
  }
  return null;
}

/** The shortest beginning whose folded form holds the prefix, in whole characters; folding may lengthen or shorten. */
function matchedLength(text: string, prefix: string): number {
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
