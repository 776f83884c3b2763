import type { Sql } from 'postgres';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { Steps } from '#server/engine/steps.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { StoredDocument, WriteAction } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { HoldAnswer, WritableCollection, Write } from '../indexes.ts';
import { toCallerError } from '../registry/caller-errors.ts';
import type { Change, IndexRegistry } from '../registry/index-registry.ts';
import { readDocuments, readSizes, readUnchanged } from '../registry/rows.ts';
import { Batch, type RowOutcome } from './batch.ts';
import { ByteBudget } from './byte-budget.ts';
import { type ParsedDocument, parseInSteps } from './document.ts';
import { type DocumentRow, encodeRows, putDocuments } from './statements.ts';
import { stepsInTurns } from './steps-in-turns.ts';

/** A batch that waits for its turn only. */
export interface PreparedBatch {
  collection: WritableCollection;
  commit: () => Promise<Change<PartOutcome>>;
}

/** `rest`: what is left for further turns. */
interface PartOutcome {
  outcomes: RowOutcome[];
  rest: PreparedBatch | null;
}

/** Documents to be written, for somebody whose signal it is. */
interface Documents {
  action: WriteAction;
  parsed: ParsedDocument[];
  /** Of an import, which has time. */
  isBulk: boolean;
  signal: AbortSignal | undefined;
  /** Of somebody who is answered the documents. */
  holdAnswer?: HoldAnswer | undefined;
}

/** `update` and `emplace` build on what is stored. */
export const merges = (action: WriteAction) => action === 'update' || action === 'emplace';

/** Writing as many bytes of JSON takes about a millisecond. */
const largeBytes = 256 * 1024;
/** Stored documents that are merged into at once; a larger one is alone. */
const mergedBytesMax = 2 * 1024 * 1024;

/**
 * Writes a batch of documents as one version: validate → embed → one statement → engine → outcomes. Within a batch the documents act in
 * their order, as if they had been sent one by one: of equal ids the last upsert wins, the first create does, merges add up.
 */
export class Ingest {
  readonly #registry: IndexRegistry;
  readonly #embedder: Embedder;
  readonly #record: Pick<RecordStore, 'as'>;
  readonly #documentLimits: string | null;
  /** What is merged into, by all together. */
  readonly #merged = new ByteBudget(limits.mergesBytesMax);

  /** `documentLimits`: what workspaces may have by their plans; null: any number. */
  constructor(parts: {
    registry: IndexRegistry;
    embedder: Embedder;
    record: Pick<RecordStore, 'as'>;
    documentLimits: string | null;
  }) {
    this.#registry = parts.registry;
    this.#embedder = parts.embedder;
    this.#record = parts.record;
    this.#documentLimits = parts.documentLimits;
  }

  /**
   * Parses and embeds, which needs no turn, so that it may overlap with the writing of other batches.
   * @throws AppError UNAVAILABLE (database, embedding), the signal's reason
   */
  async prepare(collection: WritableCollection, documents: Documents): Promise<PreparedBatch> {
    const { action, parsed, isBulk, signal } = documents;
    if (merges(action)) return this.#merging(collection, documents);
    const batch = new Batch(collection, this.#embedder.id, action);
    await stepsInTurns(
      collection.for,
      each(parsed, (one) => batch.add(one)),
    );
    const sql = this.#sql(collection, isBulk);
    if (action === 'upsert') await this.#keepUnchanged(sql, batch);
    const rows = await this.#embed(batch, signal);
    return { collection, commit: () => this.#commit(batch, rows, documents) };
  }

  /**
   * Batches are written in the order in which this is called; what needs further turns may find others in between.
   * @returns one outcome a document, in order
   * @throws AppError UNAVAILABLE (database, storage, embedding), NOT_FOUND (collection deleted), the signal's reason
   */
  async write(prepared: PreparedBatch): Promise<RowOutcome[]> {
    const all: RowOutcome[] = [];
    for (let part: PreparedBatch | null = prepared; part !== null; ) {
      const { outcomes, rest }: PartOutcome = await this.#registry.change(part.collection, {}, part.commit);
      all.push(...outcomes);
      part = rest;
    }
    return all;
  }

  #sql({ for: { tenant } }: WritableCollection, isBulk: boolean): Sql {
    const { sql, bulkSql } = this.#record.as(tenant);
    return isBulk ? bulkSql : sql;
  }

  /** A document whose text is stored already keeps its vector: embedding is the dearest part of a write. */
  async #keepUnchanged(sql: Sql, batch: Batch): Promise<void> {
    const contents = batch.contents();
    if (contents.length === 0) return;
    try {
      batch.keep(await readUnchanged(sql, batch.collection.id, contents));
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /** Merging needs what is stored, so all of it happens in the collection's turn: of as many documents as may be read at once. */
  #merging(collection: WritableCollection, documents: Documents): PreparedBatch {
    const { isBulk, parsed, signal } = documents;
    const sql = this.#sql(collection, isBulk);
    const commit = async () => {
      const ids = parsed.map(({ document }) => document.id);
      const { count, bytes } = await this.#readable(sql, collection.id, ids);
      const grant = await this.#merged.take(collection.for, 2 * bytes, signal);
      try {
        const change = await this.#merge(collection, { ...documents, parsed: parsed.slice(0, count) });
        const left = parsed.slice(count);
        const rest = left.length === 0 ? null : this.#merging(collection, { ...documents, parsed: left });
        return { ...change, answer: { ...change.answer, rest } };
      } finally {
        grant.release();
      }
    };
    return { collection, commit };
  }

  /** How many of these documents may be read at once, and what they have at most. A single one need not be measured. */
  async #readable(sql: Sql, collectionId: number, ids: string[]): Promise<{ count: number; bytes: number }> {
    if (ids.length === 1) return { count: 1, bytes: limits.documentBytesMax };
    const sizes = await readSizes(sql, collectionId, [...new Set(ids)]);
    let bytes = 0;
    for (const [count, id] of ids.entries()) {
      const more = sizes.get(id) ?? 0;
      if (count > 0 && bytes + more > mergedBytesMax) return { count, bytes };
      bytes += more;
      // Of equal ids one is read.
      sizes.delete(id);
    }
    return { count: ids.length, bytes };
  }

  async #merge(collection: WritableCollection, documents: Documents): Promise<Change<PartOutcome>> {
    const { action, parsed, isBulk, signal } = documents;
    const batch = new Batch(collection, this.#embedder.id, action);
    const ids = [...new Set(parsed.map(({ document }) => document.id))];
    const stored = await readDocuments(this.#sql(collection, isBulk), collection.id, ids);
    await stepsInTurns(
      collection.for,
      each(parsed, (one) => batch.addMerged(one, stored)),
    );
    return this.#commit(batch, await this.#embed(batch, signal), documents);
  }

  /** @throws AppError what became of it, when it did not go in */
  async writeOne(
    collection: WritableCollection,
    { action, document, holdAnswer }: Write,
    signal?: AbortSignal,
  ): Promise<{ document: JsonText<StoredDocument>; created: boolean }> {
    const parsed = await stepsInTurns(collection.for, parseInSteps(collection, document));
    let bytes = 0;
    const hold = (answerBytes: number) => {
      bytes = answerBytes;
      holdAnswer?.(bytes);
    };
    const documents = { action, parsed: [parsed], isBulk: false, signal, holdAnswer: hold };
    const prepared = await this.prepare(collection, documents);
    signal?.throwIfAborted();
    const [outcome] = await this.write(prepared);
    if (!outcome) throw new Error('a write had no outcome');
    if ('error' in outcome) throw outcome.error;
    // Its answer is made in a turn of its own.
    if (bytes > largeBytes) await loopTurns.next(collection.for);
    return { document: new JsonText(Buffer.from(outcome.source)), created: outcome.created };
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

  async #commit(
    batch: Batch,
    rows: DocumentRow[],
    { isBulk, holdAnswer }: Pick<Documents, 'isBulk' | 'holdAnswer'>,
  ): Promise<Change<PartOutcome>> {
    const answer = (created: Set<string>, written: Set<string>): PartOutcome => ({
      outcomes: batch.outcomes(created, written),
      rest: null,
    });
    if (rows.length === 0) return { answer: answer(new Set(), new Set()), batches: [] };
    for (const { source } of rows) holdAnswer?.(Buffer.byteLength(source));
    const { collection, action } = batch;
    const keepExisting = action === 'create';
    const encoded = await stepsInTurns(collection.for, encodeRows(rows));
    const { version, created, written } = await putDocuments(
      this.#sql(collection, isBulk),
      collection.id,
      encoded,
      {
        keepExisting,
        documentLimits: this.#documentLimits,
      },
    );
    const puts = rows
      .filter((row) => written.has(row.id))
      .map(({ id, source, vectors, spans }) => ({ id, source, vectors, spans }));
    return { answer: answer(created, written), batches: [{ version, puts, deletes: [] }] };
  }
}

/** One after the other. */
function* each<Item>(items: Item[], work: (item: Item) => Steps<void>): Steps<void> {
  for (const item of items) {
    yield* work(item);
    yield;
  }
}
