import type { Sql } from 'postgres';
import type { Embedder, EmbeddingText } from '#server/embeddings/embedder.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { StoredDocument, WriteAction } from '#shared/documents.ts';
import type { CollectionHandle, Write } from '../indexes.ts';
import { toCallerError } from '../registry/caller-errors.ts';
import type { Change, IndexRegistry } from '../registry/index-registry.ts';
import { readDocuments, readUnchanged, type StoredRow, type StoredVectors } from '../registry/rows.ts';
import { checkStored, type ParsedDocument, parseDocument } from './document.ts';
import { contentHash, embeddingText, vectorHash } from './embedding-text.ts';
import { mergeDocuments } from './merge.ts';
import { type DocumentRow, putDocuments } from './statements.ts';

/** What became of one document of a batch. */
export type RowOutcome = { document: StoredDocument; created: boolean } | { id: string; error: AppError };

/** A batch that waits for its turn only. */
export interface PreparedBatch {
  collection: CollectionHandle;
  commit: () => Promise<Change<RowOutcome[]>>;
}

/** A document on its way in; its vector is known, or its text still has to be embedded. */
interface Draft {
  document: StoredDocument;
  source: string;
  vector: Float32Array | null;
  text: EmbeddingText | null;
  /** The stored row whose vector stands, because what it depends on did not change. */
  kept: StoredVectors | null;
}

/** `update` and `emplace` build on what is stored. */
const merges = (action: WriteAction) => action === 'update' || action === 'emplace';

/**
 * Writes a batch of documents as one version: validate → embed → one statement → engine → outcomes. Within a batch the documents act in
 * their order, as if they had been sent one by one: of equal ids the last upsert wins, the first create does, merges add up.
 */
export class Ingest {
  readonly #registry: IndexRegistry;
  readonly #embedder: Embedder;
  readonly #sql: Sql;

  constructor(parts: { registry: IndexRegistry; embedder: Embedder; sql: Sql }) {
    this.#registry = parts.registry;
    this.#embedder = parts.embedder;
    this.#sql = parts.sql;
  }

  /**
   * Parses and embeds, which needs no turn, so that it may overlap with the writing of other batches.
   * @throws AppError UNAVAILABLE (database, embedding), the signal's reason
   */
  async prepare(
    collection: CollectionHandle,
    { action, parsed }: { action: WriteAction; parsed: ParsedDocument[] },
    signal: AbortSignal | undefined,
  ): Promise<PreparedBatch> {
    const batch = new Batch(collection, this.#embedder.id, action);
    if (merges(action)) return { collection, commit: () => this.#merge(batch, parsed, signal) };
    for (const one of parsed) batch.add(one);
    if (action === 'upsert') await this.#keepUnchanged(batch);
    const rows = await this.#embed(batch, signal);
    return { collection, commit: () => this.#commit(batch, rows) };
  }

  /**
   * Batches are written in the order in which this is called.
   * @returns one outcome a document, in order
   * @throws AppError UNAVAILABLE (database, storage, embedding), NOT_FOUND (collection deleted), the signal's reason
   */
  write({ collection, commit }: PreparedBatch): Promise<RowOutcome[]> {
    return this.#registry.change(collection, {}, commit);
  }

  /** A document whose text is stored already keeps its vector: embedding is the dearest part of a write. */
  async #keepUnchanged(batch: Batch): Promise<void> {
    const contents = batch.contents();
    if (contents.length === 0) return;
    try {
      batch.keep(await readUnchanged(this.#sql, batch.collection.id, contents));
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /** Merging needs what is stored, so all of it happens in the collection's turn. */
  async #merge(
    batch: Batch,
    parsed: ParsedDocument[],
    signal: AbortSignal | undefined,
  ): Promise<Change<RowOutcome[]>> {
    const ids = [...new Set(parsed.map(({ document }) => document.id))];
    const stored = await readDocuments(this.#sql, batch.collection.id, ids);
    for (const one of parsed) batch.addMerged(one, stored);
    return this.#commit(batch, await this.#embed(batch, signal));
  }

  /** @throws AppError what became of it, when it did not go in */
  async writeOne(
    collection: CollectionHandle,
    { action, document }: Write,
    signal?: AbortSignal,
  ): Promise<{ document: StoredDocument; created: boolean }> {
    const parsed = parseDocument(collection, document);
    const prepared = await this.prepare(collection, { action, parsed: [parsed] }, signal);
    signal?.throwIfAborted();
    const [outcome] = await this.write(prepared);
    if (!outcome) throw new Error('a write had no outcome');
    if ('error' in outcome) throw outcome.error;
    return outcome;
  }

  async #embed(batch: Batch, signal: AbortSignal | undefined): Promise<DocumentRow[]> {
    const drafts = [...batch.drafts.values()];
    const open = drafts.filter((draft) => draft.text !== null);
    const { dimension, for: requester } = batch.collection;
    const texts = open.flatMap((draft) => draft.text ?? []);
    const vectors = await this.#embedder.embedDocuments({ texts, dimension, for: requester }, signal);
    const rowOf = new Map(
      open.map((draft, row) => [draft, vectors.subarray(row * dimension, (row + 1) * dimension)]),
    );
    return drafts.map((draft) => batch.row(draft, rowOf.get(draft) ?? null));
  }

  async #commit(batch: Batch, rows: DocumentRow[]): Promise<Change<RowOutcome[]>> {
    if (rows.length === 0) return { answer: batch.outcomes(new Set(), new Set()), batches: [] };
    const { collection, action } = batch;
    const keepExisting = action === 'create';
    const { version, created, written } = await putDocuments(this.#sql, collection.id, rows, {
      keepExisting,
    });
    const puts = rows
      .filter((row) => written.has(row.id))
      .map(({ id, source, vectors, spans }) => ({ id, source, vectors, spans }));
    return { answer: batch.outcomes(created, written), batches: [{ version, puts, deletes: [] }] };
  }
}

/** The documents of one batch by id, and what each of the caller's rows came to. */
class Batch {
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
