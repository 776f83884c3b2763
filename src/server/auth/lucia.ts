import { createHash } from 'node:crypto';
import { eq, lte, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import type { Database, RecordStore } from '#server/db/client.ts';
import { sessions } from '#server/db/schema/accounts.ts';
import type { Log } from '#server/log.ts';

/**
 * The only file that knows lucia, which is no longer developed: it makes session ids and runs the idle expiry.
 * What it lacks is mended in this adapter: ids are stored as SHA-256, a session ends 30 days after it began however busy
 * it is, and renewing is an update, so that it cannot bring back a session that a logout has just deleted.
 */
const dayMs = 24 * 60 * 60 * 1000;
export const sessionIdleMs = 7 * dayMs;
export const sessionAbsoluteMs = 30 * dayMs;

interface SessionTimes {
  createdAt: Date;
  /** Expiry as the row had it before lucia renewed it. */
  storedExpiresAt: Date;
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionTimes>;
    DatabaseSessionAttributes: SessionTimes;
    UserId: number;
  }
}

export function hashSessionId(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}

function absoluteEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + sessionAbsoluteMs);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

interface SessionParts {
  record: RecordStore;
  clock: () => Date;
  log: Log;
}

function createAdapter({ record, clock, log }: SessionParts): Adapter {
  const { db } = record;
  // lucia compares with the system's clock: it is given moments as far from that clock as the true ones are from ours.
  const toLucia = (moment: Date) => new Date(moment.getTime() - clock().getTime() + Date.now());

  type Row = typeof sessions.$inferSelect;
  const describe = (row: Row, sessionId: string) => {
    const expiresAt = earlier(row.expiresAt, absoluteEnd(row.createdAt));
    return {
      id: sessionId,
      userId: row.userId,
      expiresAt: toLucia(expiresAt),
      attributes: { createdAt: row.createdAt, storedExpiresAt: expiresAt },
    };
  };

  // Signing in and out goes on when storage is nearly full: who is shut out can free none.
  const write = (work: (tx: Database) => Promise<unknown>) => record.write(work, { mayUseReserve: true });
  /** For what comes with asking who somebody is: a read does not fail because a write is refused. */
  const writeIfPossible = async (work: (tx: Database) => Promise<unknown>) => {
    try {
      await write(work);
    } catch (error) {
      log.warn('a session was not renewed or removed; the next request tries again', { error });
    }
  };

  return {
    async getSessionAndUser(sessionId) {
      const [row] = await db
        .select()
        .from(sessions)
        .where(eq(sessions.id, hashSessionId(sessionId)));
      return row ? [describe(row, sessionId), { id: row.userId, attributes: {} }] : [null, null];
    },
    async getUserSessions(userId) {
      const rows = await db.select().from(sessions).where(eq(sessions.userId, userId));
      return rows.map((row) => describe(row, row.id));
    },
    async setSession({ id, userId, attributes: { createdAt } }) {
      const expiresAt = new Date(createdAt.getTime() + sessionIdleMs);
      await write((tx) =>
        tx.insert(sessions).values({ id: hashSessionId(id), userId, expiresAt, createdAt }),
      );
    },
    async updateSessionExpiration(sessionId) {
      const end = sql`${sessions.createdAt} + ${sessionAbsoluteMs / 1000} * interval '1 second'`;
      const renewed = sql`least(${new Date(clock().getTime() + sessionIdleMs).toISOString()}::timestamptz, ${end})`;
      await writeIfPossible((tx) =>
        tx
          .update(sessions)
          .set({ expiresAt: renewed })
          .where(sql`${sessions.id} = ${hashSessionId(sessionId)} and ${sessions.expiresAt} < ${renewed}`),
      );
    },
    async deleteSession(sessionId) {
      await writeIfPossible((tx) => tx.delete(sessions).where(eq(sessions.id, hashSessionId(sessionId))));
    },
    async deleteUserSessions(userId) {
      await write((tx) => tx.delete(sessions).where(eq(sessions.userId, userId)));
    },
    async deleteExpiredSessions() {
      await write((tx) => tx.delete(sessions).where(lte(sessions.expiresAt, clock())));
    },
  };
}

export interface LiveSession {
  /** The raw id, as the cookie carries it. */
  id: string;
  userId: number;
  expiresAt: Date;
  isRenewed: boolean;
}

export interface Sessions {
  create(userId: number): Promise<LiveSession>;
  /** Renews in the second half of the idle time. */
  validate(sessionId: string): Promise<LiveSession | null>;
  /** Ends a session by its stored (hashed) id. */
  end(hashedId: string): Promise<void>;
}

export function createSessions(parts: SessionParts): Sessions {
  const { record, clock } = parts;
  const lucia = new Lucia<SessionTimes>(createAdapter(parts), {
    sessionExpiresIn: new TimeSpan(sessionIdleMs, 'ms'),
    getSessionAttributes: (attributes) => attributes,
  });
  const nextExpiry = (createdAt: Date) =>
    earlier(new Date(clock().getTime() + sessionIdleMs), absoluteEnd(createdAt));

  return {
    async create(userId) {
      const createdAt = clock();
      const { id } = await lucia.createSession(userId, { createdAt, storedExpiresAt: createdAt });
      return { id, userId, expiresAt: nextExpiry(createdAt), isRenewed: true };
    },
    async validate(sessionId) {
      const { session } = await lucia.validateSession(sessionId);
      if (!session) return null;
      const { id, userId, storedExpiresAt, createdAt } = session;
      const expiresAt = session.fresh ? nextExpiry(createdAt) : storedExpiresAt;
      return { id, userId, expiresAt, isRenewed: expiresAt > storedExpiresAt };
    },
    async end(hashedId) {
      await record.write((tx) => tx.delete(sessions).where(eq(sessions.id, hashedId)), {
        mayUseReserve: true,
      });
    },
  };
}
