import type { Sql } from 'postgres';
import type { StoredFault } from '#server/db/schema/imports.ts';
import { AppError } from '#server/errors.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { readFaults } from './statements.ts';

/** What the record keeps of the faults of an import's rows, read as the rows come by again. */
export class RepeatedRows {
  readonly #sql: Sql;
  readonly #importId: number;
  readonly #faults = new Map<number, StoredFault>();
  /** All that is stored up to this row was read. */
  #readTo = -1;
  #isRead = false;

  constructor(sql: Sql, importId: number) {
    this.#sql = sql;
    this.#importId = importId;
  }

  /** Each row once, in order. */
  async takeFault(row: number): Promise<AppError | null> {
    while (!this.#isRead && row >= this.#readTo) {
      const { faults, last, isEnd } = await readFaults(this.#sql, this.#importId, this.#readTo);
      for (const fault of faults) this.#faults.set(fault[0], fault);
      this.#readTo = last;
      this.#isRead = isEnd;
    }
    const fault = this.#faults.get(row);
    this.#faults.delete(row);
    return fault ? new AppError(fault[1] as ErrorCode, fault[2]) : null;
  }
}

/** The upload is not the one that was sent with this key. */
export function anotherBody(): AppError {
  return new AppError(
    'CONFLICT',
    'Another upload was sent with this Idempotency-Key: its rows or parameters differ from these',
  );
}
