import { and, asc, eq, exists, isNull, lte, or, sql } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { webhookDeliveries, webhooks } from '#server/db/schema/webhooks.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { ownerIdOf } from '#server/workspaces/owner-id-of.ts';

export type WebhookRow = typeof webhooks.$inferSelect;

/** Longer than an attempt takes: a server that was killed amid one leaves its webhooks to others by then. */
const claimMs = 60_000;

/** Of all that are on their way, so that receivers of one account that take their time leave others theirs. */
const perAccountMax = 8;

/**
 * Webhooks that something is due for and that no server sends to. Accounts take turns: the first of each comes before the second of any. Of one account
 * those are first whose turn was longest ago.
 */
function findDue(db: ReadDatabase, { now, limit }: { now: Date; limit: number }) {
  const due = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhooks.id), lte(webhookDeliveries.nextAt, now)));
  const isFree = or(isNull(webhooks.claimedUntil), lte(webhooks.claimedUntil, now));
  const isLiving = and(eq(workspaces.id, webhooks.workspaceId), isNull(workspaces.deletedAt));
  const ranked = db
    .select({
      id: webhooks.id,
      // What is being sent to comes first: it has its place.
      place: sql<number>`row_number() over (
        partition by ${ownerIdOf(workspaces.id)} order by ${isFree}, ${webhooks.claimedUntil} nulls first, ${webhooks.id})`.as(
        'place',
      ),
    })
    .from(webhooks)
    .innerJoin(workspaces, isLiving)
    .where(and(eq(webhooks.isActive, true), exists(due)))
    .as('ranked');
  return db
    .select({ id: webhooks.id })
    .from(webhooks)
    .innerJoin(ranked, eq(ranked.id, webhooks.id))
    .where(and(isFree, lte(ranked.place, perAccountMax)))
    .orderBy(ranked.place, sql`${webhooks.claimedUntil} nulls first`, asc(webhooks.id))
    .limit(limit);
}

/** Takes them for this server: no other sends to them meanwhile, so that each message goes out once and they come in their order. */
export async function claimDue(
  record: RecordStore,
  { now, limit }: { now: Date; limit: number },
): Promise<WebhookRow[]> {
  // Nearly always there is nothing, and nothing is to be written for it.
  if ((await findDue(record.db, { now, limit: 1 })).length === 0) return [];
  const claimedUntil = new Date(now.getTime() + claimMs);
  return await record.write(
    async (db) => {
      const free = await findDue(db, { now, limit }).for('update', { of: webhooks, skipLocked: true });
      const ids = free.map(({ id }) => id);
      return await db.update(webhooks).set({ claimedUntil }).where(isAnyOf(webhooks.id, ids)).returning();
    },
    { mayUseReserve: true },
  );
}

/** Ends a claim, whose turn it was counts from now. False: it was over, and may be another server's. */
export async function release(db: Database, { id, claimedUntil }: WebhookRow, now: Date): Promise<boolean> {
  if (claimedUntil === null) return false;
  const own = and(eq(webhooks.id, id), eq(webhooks.claimedUntil, claimedUntil));
  const released = await db
    .update(webhooks)
    .set({ claimedUntil: now })
    .where(own)
    .returning({ id: webhooks.id });
  return released.length > 0;
}
