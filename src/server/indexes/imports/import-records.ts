import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { imports } from '#server/db/schema/imports.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { within } from '#server/within.ts';
import type { Import } from '#shared/documents.ts';
import type { CollectionHandle, Imports, NewImport, OpenedImport } from '../indexes.ts';
import { importColumns, type ReadImport } from './import-columns.ts';
import { openRow, UnderWayError } from './open-row.ts';
import { RunningImport } from './running-import.ts';

/** Under way in this process. */
interface UnderWay {
  /** Null until the record has it. */
  running: RunningImport | null;
  over: Promise<void>;
  end: () => void;
}

interface ImportParts {
  record: RecordStore;
  log: Log;
  /** That an import of the collection is further than it was, or over. */
  onProgress?: ((collectionId: number) => void) | undefined;
}

/** For an upload that was given up, or canceled, to end what it has begun. */
const endsWithinMs = 10_000;
const noticedWithinMs = 2_000;
const lookAgainMs = 100;
const isLate = () =>
  new AppError('UNAVAILABLE', 'This import is still ending what it has begun; try again in a moment');

/**
 * The imports of collections: what goes on, what went on within the last day, and what is done of the uploads with a key. Each goes on in the server that
 * its upload came to, which others know from the record. What that says is under way was cut off where it is not so here and no other server that lives has it.
 */
export class ImportRecords implements Imports {
  readonly #parts: ImportParts;
  /** With a key by collection and key, so that none is under way twice; others by themselves. */
  readonly #underWay = new Map<unknown, UnderWay>();

  constructor(parts: ImportParts) {
    this.#parts = parts;
  }

  /** How many go on. */
  get underWay(): number {
    return this.#underWay.size;
  }

  async open(
    collection: CollectionHandle,
    given: NewImport,
    note: (db: Database) => Promise<void>,
  ): Promise<RunningImport> {
    const name = given.key === null ? Symbol('import') : `${collection.id}/${given.key}`;
    const underWay = await this.#claim(name);
    try {
      const record = this.#parts.record.as(collection.for.tenant);
      const onProgress = () => this.#parts.onProgress?.(collection.id);
      const parts = { sql: record.sql, log: this.#parts.log, onProgress };
      const open = () =>
        record.write(async (db) => {
          const found = await openRow(db, collection, { ...given, server: record.servers.own });
          // Before others can see the row, which else would look like one that was cut off.
          const running = new RunningImport(parts, found.row, { ...found, caller: given.signal });
          underWay.running = running;
          await note(db);
          return running;
        });
      return await onceOver(open);
    } catch (error) {
      this.#leave(name);
      throw error;
    }
  }

  /** Once nothing of it is at work any more. `error`: why it ended before its end; null: it did not. */
  async close(running: RunningImport, error: unknown): Promise<void> {
    await running.end(error);
    for (const [name, one] of this.#underWay) if (one.running === running) this.#leave(name);
    running.tell();
  }

  /** @throws Error for one that is not under way */
  runningOf({ id }: OpenedImport): RunningImport {
    const running = this.#find(id)?.running;
    if (!running) throw new Error(`the import ${id} is not under way`);
    return running;
  }

  async cancel(
    collection: CollectionHandle,
    id: number,
    note: (db: Database) => Promise<void>,
  ): Promise<Import> {
    const record = this.#parts.record.as(collection.for.tenant);
    const own = and(eq(imports.collectionId, collection.id), eq(imports.id, id));
    const isElsewhere = await record.write(async (db) => {
      const [row] = await db.select(importColumns).from(imports).where(own).for('no key update');
      if (!row) throw notFound('Import');
      const isElsewhere = !this.#find(id) && this.#isElsewhere(row);
      if (row.state === 'interrupted' || (row.state === 'running' && !this.#find(id))) {
        await db
          .update(imports)
          .set({
            state: 'canceled',
            error: 'This import was canceled',
            ...(!isElsewhere && { endedAt: sql`now()` }),
          })
          .where(own);
      }
      await note(db);
      return isElsewhere;
    });
    if (isElsewhere) record.tellServers({ kind: 'cancel', ids: [id] });
    const underWay = this.#find(id);
    underWay?.running?.cancel();
    if (underWay) await this.#untilOver(underWay);
    const end = performance.now() + endsWithinMs;
    for (;;) {
      const [row] = await record.db.select(importColumns).from(imports).where(own);
      if (!row) throw notFound('Import');
      if (!isElsewhere || row.endedAt !== null || !row.isServed) return this.toImport(row);
      if (performance.now() >= end) throw isLate();
      await pause(lookAgainMs);
    }
  }

  /** Another server was asked to cancel it. */
  cancelHere(id: number): void {
    this.#find(id)?.running?.cancel();
  }

  /** Other servers may have asked to cancel some, and were not heard. */
  async cancelMissed(): Promise<void> {
    const { record, log } = this.#parts;
    const ids = [...this.#underWay.values()].flatMap(({ running }) => (running ? [running.id] : []));
    if (ids.length === 0) return;
    try {
      const missed = and(isAnyOf(imports.id, ids), eq(imports.state, 'canceled'));
      const rows = await record.db.select({ id: imports.id }).from(imports).where(missed);
      for (const { id } of rows) this.cancelHere(id);
    } catch (error) {
      log.warn('it could not be seen which imports were canceled meanwhile', { error });
    }
  }

  toImport(row: ReadImport): Import {
    const running = this.#find(row.id)?.running;
    const isCutOff = row.state === 'running' && !running && !this.#isElsewhere(row);
    return {
      id: row.id,
      state: isCutOff ? 'interrupted' : row.state,
      action: row.action,
      idempotencyKey: row.key,
      ...(running?.counts ?? { rows: row.rows, succeeded: row.succeeded, failed: row.failed }),
      error: isCutOff ? 'The server was stopped' : row.error,
      startedAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    };
  }

  #isElsewhere({ state, server, isServed }: ReadImport): boolean {
    return state === 'running' && isServed && server !== this.#parts.record.servers.own;
  }

  #find(id: number): UnderWay | undefined {
    for (const one of this.#underWay.values()) if (one.running?.id === id) return one;
    return undefined;
  }

  async #claim(name: unknown): Promise<UnderWay> {
    for (let other = this.#underWay.get(name); other; other = this.#underWay.get(name)) {
      // Whoever sends again may be here before it is known that the first connection is gone.
      await within(other.over, noticedWithinMs, () => new UnderWayError()).catch((error: unknown) => {
        if (!other?.running?.signal.aborted) throw error;
      });
      if (this.#underWay.get(name) === other) await this.#untilOver(other);
    }
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const underWay: UnderWay = { running: null, over, end };
    this.#underWay.set(name, underWay);
    return underWay;
  }

  #untilOver({ over }: UnderWay): Promise<void> {
    return within(over, endsWithinMs, isLate);
  }

  #leave(name: unknown): void {
    this.#underWay.get(name)?.end();
    this.#underWay.delete(name);
  }
}

/** Tries again while another server has an import with this key: whoever sends again may be here before that one knows that the first connection is gone. */
async function onceOver<T>(open: () => Promise<T>): Promise<T> {
  const end = performance.now() + noticedWithinMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof UnderWayError) || performance.now() >= end) throw error;
      await pause(lookAgainMs);
    }
  }
}
