import { textFieldNames, textsByField } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { TextPart } from './embedding-text.ts';

interface Placed {
  start: number;
  end: number;
}

/**
 * Three integers a passage: the place of the field that most of it lies in among the document's text fields, and where there. The place is −1 where
 * that field holds several texts, of which a span cannot say which one.
 */
export function* spansOf(
  document: StoredDocument,
  parts: readonly TextPart[],
  passages: readonly Placed[],
): Steps<Int32Array> {
  const names = yield* textFieldNames(document);
  const texts = yield* textsByField(document, null);
  const placeOf = new Map(
    names.map((name, place) => [name, texts.get(name)?.length === 1 ? place : -1] as const),
  );
  const spans = new Int32Array(passages.length * 3);
  let from = 0;
  for (const [i, passage] of passages.entries()) {
    while ((parts[from]?.end ?? Number.POSITIVE_INFINITY) <= passage.start) from += 1;
    const { part, start, end } = longestIn(passage, parts, from);
    spans.set([part === undefined ? -1 : (placeOf.get(part.path) ?? -1), start, end], i * 3);
  }
  return spans;
}

/** The part that most of a passage lies in, and the passage's share of it, counted from the part's beginning. */
function longestIn(passage: Placed, parts: readonly TextPart[], from: number) {
  let longest: { part?: TextPart; start: number; end: number } = { start: 0, end: 0 };
  for (let i = from; i < parts.length; i += 1) {
    const part = parts[i];
    if (part === undefined || part.start >= passage.end) break;
    const start = Math.max(passage.start, part.start) - part.start;
    const end = Math.min(passage.end, part.end) - part.start;
    if (end - start > longest.end - longest.start) longest = { part, start, end };
  }
  return longest;
}
