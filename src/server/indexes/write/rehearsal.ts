import type { Sql } from 'postgres';
import type { Held } from '#server/admission/byte-shares.ts';
import { AppError } from '#server/errors.ts';
import { type Exceeded, quotaExceeded } from '#server/quotas/quota-error.ts';
import type { WriteAction } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { Plan } from '#shared/plans.ts';
import type { WritableCollection } from '../indexes.ts';
import { readDocuments, type StoredRow, storedDocuments } from '../registry/rows.ts';
import { Batch, type RowOutcome } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ParsedDocument } from './document.ts';
import { merges } from './ingest.ts';
import { readablePart } from './readable-part.ts';
import { eachInTurns } from './steps-in-turns.ts';

export interface RehearsalParts {
  sql: Sql;
  /** Of what is remembered: so much in all. @throws AppError UNAVAILABLE */
  remembered: Pick<Held, 'raiseTo'>;
  merged: ByteBudget;
  documentLimits: string | null;
}

/** What a row before would have written. */
interface Remembered {
  bytes: number;
  /** Where documents are merged. */
  source: string | null;
}

/** An entry of a map, about. */
const entryBytes = 100;

/** The rows before would have written more than can be kept in mind, alone or beside what others keep. */
export class TooMuchToRememberError extends AppError {}

/**
 * Writes batches as the import would, in mind only: over the documents that are stored lies what the rows before would have made of them, and
 * their quotas are counted on. What is stored is read as it is at each batch.
 */
export class Rehearsal {
  readonly #parts: RehearsalParts;
  readonly #collection: WritableCollection;
  readonly #action: WriteAction;
  readonly #written = new Map<string, Remembered>();
  #rememberedBytes = 0;
  #addedDocuments = 0;
  #addedBytes = 0;

  constructor(parts: RehearsalParts, collection: WritableCollection, action: WriteAction) {
    this.#parts = parts;
    this.#collection = collection;
    this.#action = action;
  }

  /** @throws QuotaError, TooMuchToRememberError, the signal's reason */
  async outcomesOf(parsed: ParsedDocument[], signal: AbortSignal | undefined): Promise<RowOutcome[]> {
    if (!merges(this.#action)) {
      const batch = this.#newBatch();
      await eachInTurns(this.#collection.for, parsed, (one) => batch.add(one));
      return this.#write(batch);
    }
    const outcomes: RowOutcome[] = [];
    for (let from = 0; from < parsed.length; ) {
      const { count, part } = await this.#mergePart(parsed.slice(from), signal);
      outcomes.push(...part);
      from += count;
    }
    return outcomes;
  }

  #newBatch(): Batch {
    // Nothing is embedded, so that it does not matter by which model.
    return new Batch(this.#collection, 'none', this.#action);
  }

  async #mergePart(
    parsed: ParsedDocument[],
    signal: AbortSignal | undefined,
  ): Promise<{ count: number; part: RowOutcome[] }> {
    const { sql, merged } = this.#parts;
    const { id: collectionId, for: requester } = this.#collection;
    const ids = parsed.map(({ document }) => document.id);
    const { count, bytes } = await readablePart(sql, collectionId, ids);
    const grant = await merged.take(requester, 2 * bytes, signal);
    try {
      const batch = this.#newBatch();
      const part = ids.slice(0, count);
      const stored = await readDocuments(sql, collectionId, [...new Set(part)]);
      for (const id of part) this.#overlay(stored, id);
      await eachInTurns(requester, parsed.slice(0, count), (one) => batch.addMerged(one, stored));
      return { count, part: await this.#write(batch) };
    } finally {
      grant.release();
    }
  }

  #overlay(stored: Map<string, StoredRow>, id: string): void {
    const source = this.#written.get(id)?.source;
    if (source === null || source === undefined) return;
    const nothing = { version: 0, writtenVersion: 0, contentHash: new Uint8Array(0), modelId: null };
    const row = { id, ...nothing, vectors: new Float32Array(0), spans: new Int32Array(0) };
    stored.set(id, { ...(stored.get(id) ?? row), source });
  }

  async #write(batch: Batch): Promise<RowOutcome[]> {
    const drafts = [...batch.drafts.values()].map(({ document, source }) => ({
      id: document.id,
      source,
      bytes: Buffer.byteLength(source),
    }));
    const sizes = await this.#sizesOf(drafts.map(({ id }) => id));
    const writes = this.#action === 'create' ? drafts.filter(({ id }) => !sizes.has(id)) : drafts;
    const created = new Set(writes.flatMap(({ id }) => (sizes.has(id) ? [] : [id])));
    const bytes = writes.reduce((sum, one) => sum + one.bytes - (sizes.get(one.id) ?? 0), 0);
    await this.#assertRoom({ documents: created.size, bytes });
    this.#addedDocuments += created.size;
    this.#addedBytes += bytes;
    for (const one of writes) this.#remember(one.id, one);
    return batch.outcomes(created, new Set(writes.map(({ id }) => id)));
  }

  /** Bytes of the texts of those that are there. */
  async #sizesOf(ids: string[]): Promise<Map<string, number>> {
    const rows = await this.#parts.sql.unsafe(
      `select id, octet_length(source) as bytes from ${storedDocuments}`,
      [this.#collection.id, JSON.stringify(ids)],
      { prepare: true },
    );
    const sizes = new Map<string, number>(rows.map((row) => [row['id'], Number(row['bytes'])]));
    for (const id of ids) {
      const written = this.#written.get(id);
      if (written) sizes.set(id, written.bytes);
    }
    return sizes;
  }

  #remember(id: string, { bytes, source }: { bytes: number; source: string }): void {
    const kept = merges(this.#action) ? source : null;
    const before = this.#written.get(id);
    if (!before) this.#rememberedBytes += entryBytes + id.length;
    this.#rememberedBytes += (kept === null ? 0 : bytes) - (before?.source == null ? 0 : before.bytes);
    if (this.#rememberedBytes > limits.dryRunBytesMax) {
      throw new TooMuchToRememberError(
        'UNPROCESSABLE',
        `A dry run cannot look at so many rows: after ${this.#written.size} documents there is no room for more; send a part of them`,
      );
    }
    this.#parts.remembered.raiseTo(this.#rememberedBytes);
    this.#written.set(id, { bytes, source: kept });
  }

  /** As `assert_document_quotas` does it in the record. @throws QuotaError */
  async #assertRoom(added: { documents: number; bytes: number }): Promise<void> {
    const { sql, documentLimits } = this.#parts;
    if (documentLimits === null || (added.documents <= 0 && added.bytes <= 0)) return;
    const [row] = await sql.unsafe(
      `select w.plan, sum(c.document_count) as documents, sum(c.document_bytes) as bytes
       from projects p join workspaces w on w.id = p.workspace_id
         join projects own on own.workspace_id = w.id join collections c on c.project_id = own.id and c.deleted_at is null
       where p.id = (select project_id from collections where id = $1) group by w.plan`,
      [this.#collection.id],
      { prepare: true },
    );
    const plan = row?.['plan'] as Plan;
    const most: Partial<Record<'documents' | 'bytes', number | null>> =
      JSON.parse(documentLimits)[plan] ?? {};
    const used = {
      documents: Number(row?.['documents']) + this.#addedDocuments,
      bytes: Number(row?.['bytes']) + this.#addedBytes,
    };
    for (const quota of ['documents', 'bytes'] as const) {
      const limit = most[quota] ?? Number.POSITIVE_INFINITY;
      if (added[quota] <= 0 || used[quota] + added[quota] <= limit) continue;
      const exceeded: Exceeded = { quota, plan, used: used[quota], limit, added: added[quota] };
      throw quotaExceeded(exceeded);
    }
  }
}
