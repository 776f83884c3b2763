/**
 * Makes the parts of an index anew without tombstones, in pieces between its calls: documents may be searched, written and removed between two. What is copied is what
 * was there when it began, in parts that only grow meanwhile; documents that came or went since are written to the copy, too, until none is left. Then the copy takes the place
 * of the parts. Linear in the index, and in what is written meanwhile.
 */
import { putDocument, removeDocument } from './documents/changed-documents.ts';
import { parseJson } from './documents/parse-json.ts';
import type { IndexParts } from './query/search-parts.ts';
import type { Steps } from './steps.ts';

type Counts = ReturnType<IndexParts['lexical']['copyCounts']>;
type Live = IndexParts['documents']['live'];

export class Compaction {
  readonly #parts: IndexParts;
  /** Ids of documents that came or went since it began. */
  readonly #changed = new Set<string>();
  /** Some ten microseconds each. They return the parts that take the place of those there are; null: there is no memory for them. */
  readonly steps: Steps<IndexParts | null>;

  constructor(parts: IndexParts) {
    this.#parts = parts;
    parts.columns.isCopied = true;
    this.steps = this.#run(parts.lexical.copyCounts(), parts.documents.live.clone());
  }

  /** A document has come or gone. */
  note(id: string): void {
    this.#changed.add(id);
  }

  /** The parts stay as they are, or are not needed any more. */
  end(): void {
    this.#parts.columns.isCopied = false;
  }

  *#run(counts: Counts, live: Live): Steps<IndexParts | null> {
    try {
      return yield* this.#copied(counts, live);
    } catch (error) {
      // As every allocation that fails. What was copied is dropped; the parts have not been touched.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  *#copied(counts: Counts, live: Live): Steps<IndexParts> {
    const { settings, documents, lexical, vectors, columns } = this.#parts;
    const { table, renumbered } = yield* documents.compacted(live);
    const words = yield* lexical.compacted(renumbered, counts);
    const rows = yield* vectors.compacted(renumbered);
    const copy: IndexParts = {
      settings,
      documents: table,
      lexical: words,
      vectors: rows,
      columns: yield* columns.compacted(renumbered, table.capacity, settings.fields),
    };
    for (const id of this.#changed) {
      // It may change again while it is written to the copy.
      this.#changed.delete(id);
      yield* this.#bring(id, copy);
    }
    return copy;
  }

  *#bring(id: string, copy: IndexParts): Steps<void> {
    const { documents, vectors } = this.#parts;
    const ordinal = documents.ordinalOf(id);
    if (ordinal === undefined) return yield* removeDocument(copy, id);
    const document = {
      id,
      source: documents.sourceOf(ordinal),
      vectors: vectors.vectorsOf(ordinal),
      spans: vectors.spansOf(ordinal),
    };
    const fields = (yield* parseJson(document.source)) as Record<string, unknown>;
    yield* putDocument(copy, { document, fields });
  }
}
