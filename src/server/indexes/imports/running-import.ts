import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Sql } from 'postgres';
import type { imports, StoredFault } from '#server/db/schema/imports.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { RowOutcome } from '../write/batch.ts';
import { generateId } from '../write/document.ts';
import type { ImportBatch } from '../write/import-batches.ts';
import { endImport, markRows, noteRows } from './statements.ts';

type ImportRecord = typeof imports.$inferSelect;

/** What a batch's transaction adds for its import: how far it is, and what a repeated upload could not find out. */
export type Mark = (tx: Pick<Sql, 'unsafe'>, outcomes: RowOutcome[]) => Promise<void>;

const noteEveryMs = 1_000;
const rowsMissing = () =>
  new AppError('UNAVAILABLE', 'Rows before these did not go in; send the upload again', {
    retryAfterSeconds: 1,
  });
const canceled = () => new AppError('CONFLICT', 'This import was canceled');

interface RunningParts {
  sql: Sql;
  log: Log;
  onProgress: () => void;
}

/** An import under way in this process. */
export class RunningImport {
  readonly id: number;
  readonly #server: number | null;
  readonly request: Uint8Array;
  /** Its rows are settled in order and in their batches' transactions, so that a repeated upload goes on behind them. */
  readonly hasKey: boolean;
  /** It has all rows: a repeated upload adds nothing. */
  readonly isWhole: boolean;
  readonly #parts: RunningParts;
  readonly #createdAt: Date;
  readonly #cancel = new AbortController();
  readonly #signal: AbortSignal;
  #rows: number;
  #succeeded: number;
  #failed: number;
  #digest: Uint8Array | null;
  #notedAt = performance.now();
  #noting: Promise<void> | null = null;

  constructor(
    parts: RunningParts,
    record: ImportRecord,
    { isWhole, caller }: { isWhole: boolean; caller: AbortSignal },
  ) {
    this.#parts = parts;
    this.#signal = AbortSignal.any([caller, this.#cancel.signal]);
    // Each batch under way listens.
    setMaxListeners(0, this.#signal);
    this.id = record.id;
    this.#server = record.server;
    this.request = record.request;
    this.hasKey = record.key !== null;
    this.isWhole = isWhole;
    this.#createdAt = record.createdAt;
    this.#rows = record.rows;
    this.#succeeded = record.succeeded;
    this.#failed = record.failed;
    this.#digest = record.digest;
  }

  get rows(): number {
    return this.#rows;
  }

  get counts(): { rows: number; succeeded: number; failed: number } {
    return { rows: this.#rows, succeeded: this.#succeeded, failed: this.#failed };
  }

  /** Of its rows. */
  get digest(): Uint8Array | null {
    return this.#digest;
  }

  /** Fires when it is canceled, or its caller is gone. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  cancel(): void {
    this.#cancel.abort(canceled());
  }

  /** With a key, the id of a row that has none: the same whenever it is sent. */
  idOf(row: number): string | null {
    if (!this.hasKey) return null;
    const hash = createHash('sha256').update(`${this.id}/${row}`).digest();
    return generateId(this.#createdAt.getTime(), hash.subarray(0, 10));
  }

  /** For a batch, which may be written in several parts. */
  markerOf({ rows }: Pick<ImportBatch, 'rows'>): Mark {
    let done = 0;
    return async (tx, outcomes) => {
      const part = settledBy(rows.slice(done), outcomes);
      const last = rows[done + part.rows - 1];
      const rowsBefore = this.#rows;
      // Whatever became of the batch before: what is done is always a beginning.
      if (rows[done]?.index !== rowsBefore) throw rowsMissing();
      const counts = {
        rows: rowsBefore + part.rows,
        succeeded: this.#succeeded + part.succeeded,
        failed: this.#failed + part.failed,
      };
      const digest = last?.digest ?? this.#digest;
      await markRows(tx, { id: this.id, rowsBefore, ...counts, digest, faults: part.faults });
      // Whoever cannot commit this goes no further, and the record keeps what it had.
      done += part.rows;
      this.#digest = digest;
      this.#set(counts);
    };
  }

  /** Without a key: told to whoever asks, and now and then to the record. */
  note({ success }: { success: boolean }): void {
    if (this.hasKey) return;
    this.#rows += 1;
    if (success) this.#succeeded += 1;
    else this.#failed += 1;
    this.tell();
    const now = performance.now();
    if (this.#noting !== null || now - this.#notedAt < noteEveryMs) return;
    this.#notedAt = now;
    this.#noting = this.#quietly(() => noteRows(this.#parts.sql, this.#own, this.counts)).finally(() => {
      this.#noting = null;
    });
  }

  /** That its counts, or its state, are not what they were. */
  tell(): void {
    this.#parts.onProgress();
  }

  /** Once nothing of it is at work any more. `error`: why it ended before its end. */
  async end(error: unknown): Promise<void> {
    await this.#noting;
    const isCanceled = this.#cancel.signal.aborted;
    const state = isCanceled ? 'canceled' : error === null ? 'done' : 'interrupted';
    const ended = {
      state,
      error: state === 'done' ? null : reasonOf(isCanceled ? canceled() : error),
      counts: this.hasKey ? null : this.counts,
    } as const;
    await this.#quietly(() => endImport(this.#parts.sql, this.#own, ended));
  }

  get #own() {
    return { id: this.id, server: this.#server };
  }

  #set({ rows, succeeded, failed }: RunningImport['counts']): void {
    this.#rows = rows;
    this.#succeeded = succeeded;
    this.#failed = failed;
    this.tell();
  }

  /** What is told of an import is not worth its failure. */
  async #quietly(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#parts.log.warn('the progress of an import was not written', { importId: this.id, error });
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The upload broke off';
}

/** The rows that are settled with these outcomes: those that are no documents need none. */
function settledBy(rows: ImportBatch['rows'], outcomes: RowOutcome[]) {
  const faults: StoredFault[] = [];
  let taken = 0;
  let count = 0;
  let failed = 0;
  for (const row of rows) {
    if ('fault' in row) failed += 1;
    else {
      const outcome = outcomes[taken];
      if (outcome === undefined) break;
      taken += 1;
      if ('error' in outcome) {
        failed += 1;
        faults.push([row.index, outcome.error.code, outcome.error.message]);
      }
    }
    count += 1;
  }
  return { rows: count, succeeded: count - failed, failed, faults };
}
