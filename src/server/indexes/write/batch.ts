import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { StoredDocument, WriteAction } from '#shared/documents.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { StoredRow, StoredVectors } from '../registry/rows.ts';
import { checkStored, type ParsedDocument, parseDocument } from './document.ts';
import { contentHash, embeddingText, vectorHash } from './embedding-text.ts';
import { mergeDocuments } from './merge.ts';
import type { DocumentRow } from './statements.ts';

/** What became of one document of a batch. */
export type RowOutcome = { document: StoredDocument; created: boolean } | { id: string; error: AppError };

/** A document on its way in; its vector is known, or its text still has to be embedded. */
interface Draft {
  document: StoredDocument;
  source: string;
  vector: Float32Array | null;
  text: EmbeddingText | null;
  /** The stored row whose vector stands, because what it depends on did not change. */
  kept: StoredVectors | null;
}

/** The documents of one batch by id, and what each of the caller's rows came to. */
export class Batch {
  readonly collection: CollectionHandle;
  readonly action: WriteAction;
  readonly drafts = new Map<string, Draft>();
  readonly #modelId: string;
  readonly #rows: (
    | { id: string; error: AppError }
    | { id: string; isFirst: boolean; document: StoredDocument }
  )[] = [];

  constructor(collection: CollectionHandle, modelId: string, action: WriteAction) {
    this.collection = collection;
    this.#modelId = modelId;
    this.action = action;
  }

  add({ document, embedding }: ParsedDocument): void {
    this.#try(document.id, () => {
      if (this.action === 'create' && this.drafts.has(document.id)) throw taken(document.id);
      return this.#draft(document, embedding, null);
    });
  }

  addMerged({ document: change, embedding }: ParsedDocument, stored: Map<string, StoredRow>): void {
    const { id } = change;
    this.#try(id, () => {
      const earlier = this.drafts.get(id);
      const row = stored.get(id) ?? null;
      if (!earlier && !row && this.action === 'update') throw notFound(`Document "${id}"`);
      const base: StoredDocument | null = earlier?.document ?? (row ? JSON.parse(row.source) : null);
      // Two documents within the limits can add up to one beyond them.
      const merged = base ? parseDocument(this.collection, mergeDocuments(base, change)).document : change;
      return this.#draft(merged, embedding ?? earlier?.vector ?? null, earlier ? earlier.kept : row);
    });
  }

  /** What is still to be embedded. */
  contents(): { id: string; contentHash: Uint8Array }[] {
    const open = [...this.drafts.values()].filter(({ text }) => text !== null);
    return open.map(({ document, text }) => ({ id: document.id, contentHash: this.#hash(text) }));
  }

  keep(unchanged: Map<string, StoredVectors>): void {
    for (const [id, kept] of unchanged) {
      const draft = this.drafts.get(id);
      if (draft) this.drafts.set(id, { ...draft, text: null, kept });
    }
  }

  row({ document, source, vector, text, kept }: Draft, embedded: Float32Array | null): DocumentRow {
    const base = { id: document.id, source };
    if (kept) {
      const { contentHash: hash, modelId, vectors, spans } = kept;
      return { ...base, contentHash: hash, modelId, vectors, spans };
    }
    if (vector) {
      return {
        ...base,
        contentHash: vectorHash(vector),
        modelId: 'custom',
        vectors: vector,
        spans: wholeText(0),
      };
    }
    const hash = this.#hash(text);
    // A zero row means that the model knows nothing of the text.
    if (!text || !embedded?.some((x) => x !== 0)) {
      return {
        ...base,
        contentHash: hash,
        modelId: null,
        vectors: new Float32Array(0),
        spans: new Int32Array(0),
      };
    }
    const spans = wholeText(text.text.length);
    return { ...base, contentHash: hash, modelId: this.#modelId, vectors: embedded, spans };
  }

  outcomes(created: Set<string>, written: Set<string>): RowOutcome[] {
    return this.#rows.map((row) => {
      if ('error' in row) return row;
      if (!written.has(row.id)) return { id: row.id, error: taken(row.id) };
      return { document: row.document, created: row.isFirst && created.has(row.id) };
    });
  }

  #try(id: string, draft: () => Draft): void {
    try {
      const made = draft();
      const isFirst = !this.drafts.has(id);
      this.drafts.set(id, made);
      this.#rows.push({ id, isFirst, document: made.document });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#rows.push({ id, error });
    }
  }

  #draft(document: StoredDocument, vector: Float32Array | null, stored: StoredVectors | null): Draft {
    const source = JSON.stringify(document);
    checkStored(this.collection, document, source);
    if (vector) return { document, source, vector, text: null, kept: null };
    // A caller's own vector stands until another is sent.
    if (stored?.modelId === 'custom') return { document, source, vector: null, text: null, kept: stored };
    const text = embeddingText(this.collection, document);
    const isSame = stored !== null && Buffer.compare(this.#hash(text), stored.contentHash) === 0;
    return { document, source, vector: null, text: isSame ? null : text, kept: isSame ? stored : null };
  }

  #hash(text: EmbeddingText | null): Uint8Array {
    return contentHash(this.#modelId, this.collection.dimension, text);
  }
}

/** One passage: all text fields joined. */
function wholeText(length: number): Int32Array {
  return Int32Array.of(-1, 0, length);
}

function taken(id: string): AppError {
  return new AppError('CONFLICT', `A document with the id "${id}" exists`);
}
