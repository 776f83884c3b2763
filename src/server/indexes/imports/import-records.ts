import { createHash } from 'node:crypto';
import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { imports } from '#server/db/schema/imports.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { within } from '#server/within.ts';
import type { Import } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, Imports, NewImport, OpenedImport } from '../indexes.ts';
import { anotherBody } from './repeated-rows.ts';
import { RunningImport } from './running-import.ts';

type ImportRecord = typeof imports.$inferSelect;

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
const isUnderWay = () => new AppError('CONFLICT', 'An import with this Idempotency-Key is under way');
const isYoung = sql`${imports.updatedAt} > now() - make_interval(hours => ${limits.importsKeptHours})`;

/**
 * The imports of collections: what goes on, what went on within the last day, and what is done of the uploads with a key. One server at a time
 * has the record, so what it says is under way and is not so here was cut off with its server.
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
      return await record.write(async (db) => {
        const found = await openRow(db, collection, given);
        // Before others can see the row, which else would look like one that was cut off.
        const running = new RunningImport(parts, found.row, { ...found, caller: given.signal });
        underWay.running = running;
        await note(db);
        return running;
      });
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
    await record.write(async (db) => {
      const [row] = await db.select().from(imports).where(own).for('no key update');
      if (!row) throw notFound('Import');
      if (row.state === 'interrupted' || (row.state === 'running' && !this.#find(id))) {
        await db
          .update(imports)
          .set({ state: 'canceled', error: 'This import was canceled', endedAt: sql`now()` })
          .where(own);
      }
      await note(db);
    });
    const underWay = this.#find(id);
    underWay?.running?.cancel();
    if (underWay) await this.#untilOver(underWay);
    const [row] = await record.db.select().from(imports).where(own);
    if (!row) throw notFound('Import');
    return this.toImport(row);
  }

  toImport(row: ImportRecord): Import {
    const running = this.#find(row.id)?.running;
    const isCutOff = row.state === 'running' && !running;
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

  #find(id: number): UnderWay | undefined {
    for (const one of this.#underWay.values()) if (one.running?.id === id) return one;
    return undefined;
  }

  async #claim(name: unknown): Promise<UnderWay> {
    for (let other = this.#underWay.get(name); other; other = this.#underWay.get(name)) {
      // Whoever sends again may be here before it is known that the first connection is gone.
      await within(other.over, noticedWithinMs, isUnderWay).catch((error: unknown) => {
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
    const late = () =>
      new AppError('UNAVAILABLE', 'This import is still ending what it has begun; try again in a moment');
    return within(over, endsWithinMs, late);
  }

  #leave(name: unknown): void {
    this.#underWay.get(name)?.end();
    this.#underWay.delete(name);
  }
}

interface Opened {
  row: ImportRecord;
  isWhole: boolean;
}

async function openRow(db: Database, collection: CollectionHandle, given: NewImport): Promise<Opened> {
  const { id: collectionId } = collection;
  const { key, action, reading } = given;
  const request = createHash('sha256')
    .update(JSON.stringify({ action, ...reading }))
    .digest();
  const ofCollection = eq(imports.collectionId, collectionId);
  if (key === null) await forgetOldest(db, ofCollection);
  else {
    const again = await takeUp(db, and(ofCollection, eq(imports.key, key)), request);
    if (again) return again;
    const kept = await db.$count(imports, and(ofCollection, isNotNull(imports.key)));
    if (kept >= limits.importKeysMax) {
      const most = `${limits.importKeysMax} of them within ${limits.importsKeptHours} hours`;
      throw new AppError('UNPROCESSABLE', `This collection has too many Idempotency-Keys: at most ${most}`);
    }
  }
  const [row] = await db
    .insert(imports)
    .values({ collectionId, key, action, request, state: 'running' })
    .returning();
  if (!row) throw new Error('the inserted import was not returned');
  return { row, isWhole: false };
}

/** @throws AppError CONFLICT */
async function takeUp(db: Database, where: SQL | undefined, request: Uint8Array): Promise<Opened | null> {
  await db.delete(imports).where(and(where, sql`not ${isYoung}`));
  const [found] = await db.select().from(imports).where(where).for('no key update');
  if (!found) return null;
  if (Buffer.compare(found.request, request) !== 0) throw anotherBody();
  if (found.state === 'canceled') {
    throw new AppError('CONFLICT', 'The import with this Idempotency-Key was canceled; use another key');
  }
  const isWhole = found.state === 'done';
  const goesOn = isWhole ? {} : ({ state: 'running', error: null, endedAt: null } as const);
  const [row] = await db
    .update(imports)
    .set({ ...goesOn, updatedAt: sql`now()` })
    .where(eq(imports.id, found.id))
    .returning();
  if (!row) throw new Error('the import that was found is gone');
  return { row, isWhole };
}

/** Of those without a key the last ones are kept, this one included. */
async function forgetOldest(db: Database, ofCollection: SQL): Promise<void> {
  const plain = and(ofCollection, isNull(imports.key));
  const [oldest] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(plain)
    .orderBy(desc(imports.id))
    .offset(limits.importsKeptMax - 2)
    .limit(1);
  if (oldest) await db.delete(imports).where(and(plain, lt(imports.id, oldest.id)));
}
