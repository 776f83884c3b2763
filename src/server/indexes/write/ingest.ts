import type { Sql } from 'postgres';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { IfMatch, StoredDocument, WriteAction } from '#shared/documents.ts';
import type { Mark } from '../imports/running-import.ts';
import type { WritableCollection, Write } from '../indexes.ts';
import type { CollectionModels, DocumentModel } from '../models/collection-models.ts';
import { toCallerError } from '../registry/caller-errors.ts';
import type { Change, ChangeOptions } from '../registry/change.ts';
import type { CollectionIndexes } from '../registry/collection-indexes.ts';
import { readDocuments, readUnchanged } from '../registry/rows.ts';
import { Batch, type RowOutcome } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type ParsedDocument, parseInSteps } from './document.ts';
import { embedBatch } from './embed-batch.ts';
import { type MergeOfMany, mergeInto } from './merge-into.ts';
import { untilCurrent } from './outdated.ts';
import { readablePart } from './readable-part.ts';
import { type DocumentRow, encodeRows, lockCollection, putDocuments, toPuts } from './statements.ts';
import { eachInTurns, stepsInTurns } from './steps-in-turns.ts';

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

/** Documents that may be written as they are. */
interface Ready {
  batch: Batch;
  model: DocumentModel;
  rows: DocumentRow[];
}

/** Documents to be written, for somebody whose signal it is. */
interface Documents {
  action: WriteAction;
  parsed: ParsedDocument[];
  /** Of an import, which has time. */
  isBulk: boolean;
  signal: AbortSignal | undefined;
  /** Of an upsert: which version wrote what it replaces. */
  ifVersion?: number | undefined;
  /** One of which what it replaces or merges into has; absent: whatever that has. */
  ifMatch?: IfMatch | undefined;
  /** Hears each text before it is written, of somebody who is answered it; what it throws keeps all as it was. */
  tellText?: (source: string) => void;
  /** What its transaction adds; absent: it is a single statement. */
  mark?: Mark | undefined;
}

/** `update` and `emplace` build on what is stored. */
export const merges = (action: WriteAction) => action === 'update' || action === 'emplace';

const isConditional = ({ ifVersion, ifMatch }: Documents) => ifVersion !== undefined || ifMatch !== undefined;

/** So often another server may come between reading and writing; then it has to wait for both. */
const triesWithoutLock = 3;

/** Writing as many bytes of JSON takes about a millisecond. */
const largeBytes = 256 * 1024;

/**
 * Writes a batch of documents as one version: validate → embed → one statement → engine → outcomes. Within a batch the documents act in
 * their order, as if they had been sent one by one: of equal ids the last upsert wins, the first create does, merges add up.
 */
export class Ingest {
  readonly #registry: CollectionIndexes;
  readonly #models: Pick<CollectionModels, 'forDocuments' | 'learnMoved'>;
  readonly #record: Pick<RecordStore, 'as'>;
  readonly #documentLimits: string | null;
  readonly #merged: ByteBudget;

  /** `merged`: of what is merged into, by all together. `documentLimits`: what workspaces may have by their plans; null: any number. */
  constructor(parts: {
    registry: CollectionIndexes;
    models: Pick<CollectionModels, 'forDocuments' | 'learnMoved'>;
    record: Pick<RecordStore, 'as'>;
    merged: ByteBudget;
    documentLimits: string | null;
  }) {
    this.#registry = parts.registry;
    this.#models = parts.models;
    this.#record = parts.record;
    this.#merged = parts.merged;
    this.#documentLimits = parts.documentLimits;
  }

  /**
   * Parses and embeds, which needs no turn, so that it may overlap with the writing of other batches.
   * @throws AppError UNAVAILABLE (database, embedding), the signal's reason
   */
  async prepare(collection: WritableCollection, documents: Documents): Promise<PreparedBatch> {
    if (merges(documents.action) || isConditional(documents)) return this.#merging(collection, documents);
    let ready = await this.#embed(collection, documents);
    const attempt = async () => {
      const { id } = await this.#models.forDocuments(collection.id);
      // The collection was moved to another model before its turn came.
      if (id !== ready.model.id) ready = await this.#embed(collection, documents);
      return await this.#commit(ready, documents);
    };
    return { collection, commit: () => this.untilCurrent(collection, attempt) };
  }

  async #embed(
    collection: WritableCollection,
    { action, parsed, isBulk, signal }: Documents,
  ): Promise<Ready> {
    const model = await this.#models.forDocuments(collection.id);
    const batch = new Batch(collection, model.id, action);
    await eachInTurns(collection.for, parsed, (one) => batch.add(one));
    const sql = this.#sql(collection, isBulk);
    const known = action === 'upsert' ? this.#keepUnchanged(sql, batch) : undefined;
    // To embed one document takes as long as to ask for it, and whoever sends one waits for both; of many, most may be stored already.
    if (isBulk || parsed.length > 1) await known;
    return { batch, model, rows: await embedBatch(model, batch, signal, known) };
  }

  /**
   * Batches are written in the order in which this is called; what needs further turns may find others in between.
   * @returns one outcome a document, in order
   * @throws AppError UNAVAILABLE (database, storage, embedding), NOT_FOUND (collection deleted), the signal's reason
   */
  async write(prepared: PreparedBatch, options: Pick<ChangeOptions, 'onFailed'> = {}): Promise<RowOutcome[]> {
    const all: RowOutcome[] = [];
    for (let part: PreparedBatch | null = prepared; part !== null; ) {
      const { outcomes, rest }: PartOutcome = await this.#registry.change(
        part.collection,
        options,
        part.commit,
      );
      all.push(...outcomes);
      part = rest;
    }
    return all;
  }

  /** In the collection's turn. As `mergeInto`. */
  mergeInto(collection: WritableCollection, many: MergeOfMany): ReturnType<typeof mergeInto> {
    const parts = { sql: this.#sql(collection, true), models: this.#models, budget: this.#merged };
    return mergeInto({ ...parts, documentLimits: this.#documentLimits }, collection, many);
  }

  /** As `untilCurrent`, of a collection. */
  untilCurrent<T>({ id }: WritableCollection, attempt: (tries: number) => Promise<T>): Promise<T> {
    return untilCurrent(this.#models, id, attempt);
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

  /** Merging and replacing a version need what is stored, so all of it happens in the collection's turn: of as many documents as may be read at once. */
  #merging(collection: WritableCollection, documents: Documents): PreparedBatch {
    const { isBulk, parsed, signal } = documents;
    const sql = this.#sql(collection, isBulk);
    const commit = async () => {
      const ids = parsed.map(({ document }) => document.id);
      const { count, bytes } = await readablePart(sql, collection.id, ids);
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

  /** What another server writes between reading and writing is read, and merged into, anew. */
  async #merge(collection: WritableCollection, documents: Documents): Promise<Change<PartOutcome>> {
    const sql = this.#sql(collection, documents.isBulk);
    return await this.untilCurrent(collection, async (tries) => {
      const model = await this.#models.forDocuments(collection.id);
      const parts = { collection, model, documents };
      if (tries <= triesWithoutLock) return await this.#commit(await this.#readMerged(sql, parts), documents);
      return await sql.begin(async (tx) => {
        await lockCollection(tx, collection.id);
        return await this.#put(tx, await this.#readMerged(tx, parts), documents);
      });
    });
  }

  async #readMerged(
    sql: Pick<Sql, 'unsafe'>,
    parts: { collection: WritableCollection; model: DocumentModel; documents: Documents },
  ): Promise<Ready> {
    const { collection, model, documents } = parts;
    const { action, parsed, signal } = documents;
    const batch = new Batch(collection, model.id, action);
    const ids = [...new Set(parsed.map(({ document }) => document.id))];
    const stored = await readDocuments(sql, collection.id, ids);
    await eachInTurns(collection.for, parsed, (one) =>
      merges(action) ? batch.addMerged(one, stored, documents) : batch.addReplacing(one, stored, documents),
    );
    return { batch, model, rows: await embedBatch(model, batch, signal) };
  }

  /** @throws AppError what became of it, when it did not go in */
  async writeOne(
    collection: WritableCollection,
    { action, document, ifVersion, ifMatch, holdAnswer }: Write,
    signal?: AbortSignal,
  ): Promise<{ document: JsonText<StoredDocument>; created: boolean }> {
    const parsed = await stepsInTurns(collection.for, parseInSteps(collection, document));
    let text = '';
    let bytes = 0;
    const tellText = (source: string) => {
      text = source;
      const held = bytes;
      bytes = Buffer.byteLength(source);
      // Merged anew it may be longer.
      if (bytes > held) holdAnswer?.(bytes - held);
    };
    const documents = { action, parsed: [parsed], isBulk: false, signal, ifVersion, ifMatch, tellText };
    const prepared = await this.prepare(collection, documents);
    signal?.throwIfAborted();
    const [outcome] = await this.write(prepared);
    if (!outcome) throw new Error('a write had no outcome');
    if ('error' in outcome) throw outcome.error;
    // Its answer is made in a turn of its own.
    if (bytes > largeBytes) await loopTurns.next(collection.for);
    return { document: new JsonText(Buffer.from(text)), created: outcome.created };
  }

  async #commit(ready: Ready, documents: Documents): Promise<Change<PartOutcome>> {
    const sql = this.#sql(ready.batch.collection, documents.isBulk);
    if (!documents.mark) return this.#put(sql, ready, documents);
    return await sql.begin((tx) => this.#put(tx, ready, documents));
  }

  /** @throws OutdatedError */
  async #put(
    sql: Pick<Sql, 'unsafe'>,
    { batch, model, rows }: Ready,
    { tellText, mark }: Pick<Documents, 'tellText' | 'mark'>,
  ): Promise<Change<PartOutcome>> {
    for (const { source } of rows) tellText?.(source);
    const { collection, action } = batch;
    let [created, written] = [new Set<string>(), new Set<string>()];
    const batches: WriteBatch[] = [];
    if (rows.length > 0) {
      const encoded = await stepsInTurns(collection.for, encodeRows(rows));
      const put = await putDocuments(sql, collection.id, encoded, {
        documents: batch.documents(),
        model: model.recorded,
        keepExisting: action === 'create',
        documentLimits: this.#documentLimits,
      });
      ({ created, written } = put);
      const puts = toPuts(rows.filter((row) => put.written.has(row.id)));
      batches.push({ version: put.version, puts, deletes: [] });
    }
    const outcomes = batch.outcomes(created, written);
    await mark?.(sql, outcomes);
    return { answer: { outcomes, rest: null }, batches };
  }
}
