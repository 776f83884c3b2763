import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { embeddingText, type PlacedText } from './embedding-text.ts';
import { passageLimitsOf } from './passage-limits.ts';
import { isCut, type Passage, passagesOf } from './passages-of.ts';
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
  const cut = yield* cutDocument(collection, document);
  if (cut === null) return null;
  const { placed, passages } = cut;
  const text = { title: placed.title, text: placed.text };
  if (passages.length === 0) return { text, passages: [text], spans: wholeText(text.text.length), cut: [] };
  const title = text.title.slice(0, titleCharactersMax).toWellFormed();
  return {
    text,
    passages: passages.map((each) => ({ title, text: each.text })),
    spans: yield* spansOf(document, placed.parts, passages),
    cut: passages.flatMap(({ start, end }) => [start, end]),
  };
}

/** The text of a document, and the passages that it is cut into; none: it is one, as blanks are, which have no sentences. Null: there is nothing to embed. */
export function* cutDocument(
  collection: Pick<WritableCollection, 'metadata'>,
  document: StoredDocument,
): Steps<{ placed: PlacedText; passages: Passage[] } | null> {
  const placed = yield* embeddingText(collection, document);
  if (placed === null) return null;
  const limits = passageLimitsOf(collection.metadata);
  return { placed, passages: isCut(placed.text, limits) ? yield* passagesOf(placed, limits) : [] };
}

/** One passage: all text fields joined. */
export function wholeText(length: number): Int32Array {
  return Int32Array.of(-1, 0, length);
}
