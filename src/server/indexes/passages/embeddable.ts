import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { embeddingText } from './embedding-text.ts';
import { passageLimitsOf } from './passage-limits.ts';
import { isCut, passagesOf } from './passages-of.ts';
import { spansOf } from './spans-of.ts';

/** What of a document is made vectors. */
export interface Embeddable {
  /** All of it. */
  text: EmbeddingText;
  /** One vector each; one at least. */
  passages: EmbeddingText[];
  /** Where each lies, as the record keeps it. */
  spans: Int32Array;
  /** Where the passages begin and end in the text; empty: it is one. */
  cut: number[];
}

/** Of a title, in each passage: a longer one would be most of it. */
const titleCharactersMax = 256;

/** Null: there is nothing to embed. */
export function* embeddableOf(
  collection: WritableCollection,
  document: StoredDocument,
): Steps<Embeddable | null> {
  const placed = yield* embeddingText(collection, document);
  if (placed === null) return null;
  const text = { title: placed.title, text: placed.text };
  const limits = passageLimitsOf(collection.metadata);
  const whole = { text, passages: [text], spans: wholeText(text.text.length), cut: [] };
  if (!isCut(text.text, limits)) return whole;
  const passages = passagesOf(placed, limits);
  if (isPauseDue(text.text.length)) yield;
  // Blanks alone have no sentences.
  if (passages.length === 0) return whole;
  const title = text.title.slice(0, titleCharactersMax).toWellFormed();
  return {
    text,
    passages: passages.map((each) => ({ title, text: each.text })),
    spans: yield* spansOf(document, placed.parts, passages),
    cut: passages.flatMap(({ start, end }) => [start, end]),
  };
}

/** One passage: all text fields joined. */
export function wholeText(length: number): Int32Array {
  return Int32Array.of(-1, 0, length);
}
