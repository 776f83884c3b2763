import { createHash } from 'node:crypto';
import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { imports } from '#server/db/schema/imports.ts';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, NewImport } from '../indexes.ts';
import { importColumns } from './import-columns.ts';
import { anotherBody } from './repeated-rows.ts';

type ImportRecord = typeof imports.$inferSelect;

const isYoung = sql`${imports.updatedAt} > now() - make_interval(hours => ${limits.importsKeptHours})`;

/** An import with the same key goes on, here or in another server. */
export class UnderWayError extends AppError {
  constructor() {
    super('CONFLICT', 'An import with this Idempotency-Key is under way');
  }
}

/** An import, and the server that has it. */
type OpeningImport = NewImport & { server: number };

interface Opened {
  row: ImportRecord;
  isWhole: boolean;
}

/** Begins an import, or takes one up again. @throws AppError CONFLICT, UNPROCESSABLE, UnderWayError */
export async function openRow(
  db: Database,
  collection: CollectionHandle,
  given: OpeningImport,
): Promise<Opened> {
  const { id: collectionId } = collection;
  const { key, action, reading, server } = given;
  const request = createHash('sha256')
    .update(JSON.stringify({ action, ...reading }))
    .digest();
  const ofCollection = eq(imports.collectionId, collectionId);
  if (key === null) await forgetOldest(db, ofCollection);
  else {
    const again = await takeUp(db, and(ofCollection, eq(imports.key, key)), { request, server });
    if (again) return again;
    const kept = await db.$count(imports, and(ofCollection, isNotNull(imports.key)));
    if (kept >= limits.importKeysMax) {
      const most = `${limits.importKeysMax} of them within ${limits.importsKeptHours} hours`;
      throw new AppError('UNPROCESSABLE', `This collection has too many Idempotency-Keys: at most ${most}`);
    }
  }
  const [row] = await db
    .insert(imports)
    .values({ collectionId, key, action, request, state: 'running', server })
    .onConflictDoNothing()
    .returning();
  // Another server was faster.
  if (!row) throw new UnderWayError();
  return { row, isWhole: false };
}

/** @throws AppError CONFLICT */
async function takeUp(
  db: Database,
  where: SQL | undefined,
  { request, server }: { request: Uint8Array; server: number },
): Promise<Opened | null> {
  await db.delete(imports).where(and(where, sql`not ${isYoung}`));
  const [found] = await db.select(importColumns).from(imports).where(where).for('no key update');
  if (!found) return null;
  if (found.isServed && found.server !== server) throw new UnderWayError();
  if (Buffer.compare(found.request, request) !== 0) throw anotherBody();
  if (found.state === 'canceled') {
    throw new AppError('CONFLICT', 'The import with this Idempotency-Key was canceled; use another key');
  }
  const isWhole = found.state === 'done';
  const goesOn = isWhole ? {} : ({ state: 'running', error: null, endedAt: null, server } as const);
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
