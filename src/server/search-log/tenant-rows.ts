import type { Database, RecordStore } from '#server/db/client.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';

interface TenantRowsOptions<Row> {
  record: Pick<RecordStore, 'write'>;
  log: Log;
  /** What is written, as the log names it. */
  what: string;
  merge(waiting: Row, added: Row): Row;
  /** Where there is no room for one more: what it counts as. Absent: `put` refuses it. */
  inSum?(row: Row): { key: string; row: Row };
  /** Some rows of a batch, in its transaction. */
  write(db: Database, rows: Row[]): Promise<void>;
  /** Hears what is in the record now. */
  onWritten?(rows: Row[]): void;
  bounds?: RowBounds;
}

/** Of what waits. */
interface RowBounds {
  tenants: number;
  rowsOfTenant: number;
  /** Where many tenants wait, each has its part of so many rows. */
  rowsOfAll: number;
}

/** A batch is written every five seconds. */
const usualBounds: RowBounds = { tenants: 5_000, rowsOfTenant: 500, rowsOfAll: 100_000 };
/** Of one statement. */
const rowsAtOnce = 1_000;

/** Rows that are added up in memory by key and written every few seconds. No tenant takes another's room. */
export class TenantRows<Row> {
  readonly #options: TenantRowsOptions<Row>;
  readonly #rows: WriteBehind<Map<string, Row>>;
  readonly #bounds: RowBounds;

  constructor(options: TenantRowsOptions<Row>) {
    const { record, log, what, bounds = usualBounds } = options;
    this.#options = options;
    this.#bounds = bounds;
    this.#rows = new WriteBehind<Map<string, Row>>({
      record,
      log,
      what,
      keysMax: bounds.tenants,
      merge: (waiting, added) => {
        for (const [key, row] of added) this.#add(waiting, key, row);
        return waiting;
      },
      write: (db, batch) => this.#write(db, rowsOf(batch)),
      onWritten: (batch) => options.onWritten?.(rowsOf(batch)),
    });
  }

  /** False: it is not taken, as its tenant has no room. */
  put(tenant: string, key: string, row: Row): boolean {
    const waiting = this.#rows.waiting(tenant);
    if (waiting === undefined) return this.#rows.put(tenant, new Map([[key, row]]));
    if (!this.#options.inSum && !waiting.has(key) && waiting.size >= this.#rowsMax) return false;
    // Into the map that waits: another one for each search would cost more than the search's count.
    this.#add(waiting, key, row);
    return true;
  }

  /** Of one tenant. */
  get #rowsMax(): number {
    const { rowsOfTenant, rowsOfAll } = this.#bounds;
    return Math.min(rowsOfTenant, Math.floor(rowsOfAll / Math.max(1, this.#rows.size)));
  }

  flush(): Promise<void> {
    return this.#rows.flush();
  }

  stop(): Promise<void> {
    return this.#rows.stop();
  }

  #add(rows: Map<string, Row>, key: string, row: Row): void {
    const { merge, inSum } = this.#options;
    const waiting = rows.get(key);
    if (waiting !== undefined) rows.set(key, merge(waiting, row));
    else if (rows.size < this.#rowsMax) rows.set(key, row);
    else if (inSum) {
      const sum = inSum(row);
      const before = rows.get(sum.key);
      rows.set(sum.key, before === undefined ? sum.row : merge(before, sum.row));
    }
  }

  async #write(db: Database, rows: Row[]): Promise<void> {
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      await this.#options.write(db, rows.slice(from, from + rowsAtOnce));
  }
}

function rowsOf<Row>(batch: [tenant: string, rows: Map<string, Row>][]): Row[] {
  return batch.flatMap(([, rows]) => [...rows.values()]);
}
