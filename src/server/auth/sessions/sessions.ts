import { hash } from 'node:crypto';
import { and, desc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { addressGroup } from '#server/admission/address.ts';
import { accountName } from '#server/admission/requester.ts';
import type { Origin } from '#server/audit/audit-entry.ts';
import type { Database, RecordStore } from '#server/db/client.ts';
import { secondFactors, sessions, users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { limits } from '#shared/limits.ts';
import type { KnownCallers, KnownSession } from '../known/known-callers.ts';
import type { LookUps } from '../tries/look-ups.ts';
import type { LastSeen } from './last-seen.ts';
import type { SessionIds } from './session-ids.ts';
import { absoluteEnd, renewedExpiry, sessionAbsoluteMs, sessionIdleMs } from './session-times.ts';

/**
 * The only file that knows lucia, which is no longer developed: it makes session ids and runs the idle expiry.
 * What it lacks is mended in this adapter: ids are stored as SHA-256, a session ends 30 days after it began however busy
 * it is, and renewing is an update, so that it cannot bring back a session that a logout has just deleted.
 */
interface Stored {
  createdAt: Date;
  /** Expiry as the row had it before lucia renewed it. */
  storedExpiresAt: Date;
  lastSeenAt: Date;
  addressGroup: string | null;
  userAgent: string | null;
}

/** What is written in the transaction that begins or ends a session. */
export type Beside = (tx: Database) => Promise<void>;

/** These only reach the adapter: no row has them. */
interface SessionAttributes extends Stored {
  beside?: Beside;
  shown?: Shown;
}

/** What somebody has shown: a password, and a code of the second factor. */
interface Shown {
  passwordHash: string;
  code: boolean;
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Stored>;
    DatabaseSessionAttributes: SessionAttributes;
    UserId: number;
  }
}

export function hashSessionId(sessionId: string): string {
  return hash('sha256', sessionId, 'hex');
}

interface SessionParts {
  record: RecordStore;
  known: KnownCallers['sessions'];
  ids: SessionIds;
  lookUps: LookUps;
  lastSeen: Pick<LastSeen, 'note'>;
  clock: () => Date;
  log: Log;
}

/** `unrenewed` gets the ids of sessions whose renewal could not be written. */
function createAdapter({ record, clock, log }: SessionParts, unrenewed: Set<string>): Adapter {
  const { db } = record;
  // lucia compares with the system's clock: it is given moments as far from that clock as the true ones are from ours.
  const toLucia = (moment: Date) => new Date(moment.getTime() - clock().getTime() + Date.now());

  type Row = typeof sessions.$inferSelect;
  const describe = (row: Row, sessionId: string) => {
    const end = absoluteEnd(row.createdAt);
    const { userId, createdAt, lastSeenAt, addressGroup, userAgent } = row;
    const expiresAt = row.expiresAt < end ? row.expiresAt : end;
    return {
      id: sessionId,
      userId,
      expiresAt: toLucia(expiresAt),
      attributes: { createdAt, storedExpiresAt: expiresAt, lastSeenAt, addressGroup, userAgent },
    };
  };

  // Goes on when storage is nearly full: who is shut out can free none.
  const write = (work: (tx: Database) => Promise<unknown>) => record.write(work, { mayUseReserve: true });
  /** For what comes with asking who somebody is: a read does not fail because a write is refused. */
  const writeIfPossible = async (work: (tx: Database) => Promise<unknown>): Promise<boolean> => {
    try {
      await write(work);
      return true;
    } catch (error) {
      log.warn('a session was not renewed or removed; the next request tries again', { error });
      return false;
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
    async setSession({ id, userId, attributes: { beside, shown, ...attributes } }) {
      const expiresAt = new Date(attributes.createdAt.getTime() + sessionIdleMs);
      const { createdAt, lastSeenAt, addressGroup, userAgent } = attributes;
      const row = {
        id: hashSessionId(id),
        userId,
        expiresAt,
        createdAt,
        lastSeenAt,
        addressGroup,
        userAgent,
      };
      const work = async (tx: Database) => {
        await assertShown(tx, userId, shown);
        await tx.insert(sessions).values(row);
        const older = tx
          .select({ id: sessions.id })
          .from(sessions)
          .where(eq(sessions.userId, userId))
          .orderBy(desc(sessions.number))
          .offset(limits.sessionsPerAccountMax);
        await tx.delete(sessions).where(and(eq(sessions.userId, userId), inArray(sessions.id, older)));
        await beside?.(tx);
      };
      await record.write(work, { mayUseReserve: { of: 'signIns', tenant: accountName(userId) } });
    },
    async updateSessionExpiration(sessionId) {
      const end = sql`${sessions.createdAt} + ${sessionAbsoluteMs / 1000} * interval '1 second'`;
      const renewed = sql`least(${new Date(clock().getTime() + sessionIdleMs).toISOString()}::timestamptz, ${end})`;
      const isWritten = await writeIfPossible((tx) =>
        tx
          .update(sessions)
          .set({ expiresAt: renewed })
          .where(sql`${sessions.id} = ${hashSessionId(sessionId)} and ${sessions.expiresAt} < ${renewed}`),
      );
      if (!isWritten) unrenewed.add(sessionId);
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

/** What browsers call themselves is shorter. */
const userAgentCharactersMax = 300;

/**
 * Whoever changes a password, sets up a second factor or disables an account ends sessions: none may begin beside that. Sign-ins of one
 * account take turns here.
 */
async function assertShown(tx: Database, userId: number, shown: Shown | undefined): Promise<void> {
  const [account] = await tx
    .select({ passwordHash: users.passwordHash, disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  // Only a statement that begins once the row is locked sees what the one who had it locked has written.
  const isOn = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));
  const isCodeAsked = (await tx.$count(secondFactors, isOn)) > 0;
  const isLetIn =
    account?.passwordHash === shown?.passwordHash &&
    account?.disabledAt === null &&
    (shown?.code === true || !isCodeAsked);
  if (!isLetIn) throw new AppError('UNAUTHORIZED', 'Invalid email or password');
}

export interface LiveSession {
  /** The raw id, as the cookie carries it. */
  id: string;
  userId: number;
  expiresAt: Date;
  isRenewed: boolean;
  /** False: the record cannot be asked just now, and this is what it said last. */
  isConfirmed: boolean;
}

/** From where a session is begun, and what is written with it. */
interface Begun {
  from: Pick<Origin, 'address' | 'userAgent'>;
  /** @throws AppError UNAUTHORIZED when it is not enough (any more) */
  shown: Shown;
  beside?: Beside;
}

export interface Sessions {
  /** Of an account's sessions beyond `sessionsPerAccountMax` the oldest end. `beside` is written with it. */
  create(userId: number, begun: Begun): Promise<LiveSession>;
  /**
   * Renews in the second half of the idle time. Known sessions are not looked up again; see `KnownAnswers`. Nor are ids that this server
   * did not make, and those of sessions that have ended.
   */
  validate(sessionId: string, address?: string, hashedId?: string): Promise<LiveSession | null>;
  /** Ends a session by its stored (hashed) id. */
  end(hashedId: string, beside?: Beside): Promise<void>;
}

/** Ids that are remembered as begun here, and as ended. */
const idsMax = 10_000;

export function createSessions(parts: SessionParts): Sessions {
  const { record, known, ids, lookUps, lastSeen, clock } = parts;
  /** Whoever has just signed in is no stranger. */
  const begun = new RecentMap<true>({ entriesMax: idsMax });
  /** They do not come back. */
  const ended = new RecentMap<true>({ entriesMax: idsMax });
  const unrenewed = new Set<string>();
  const lucia = new Lucia<Stored>(createAdapter(parts, unrenewed), {
    sessionExpiresIn: new TimeSpan(sessionIdleMs, 'ms'),
    getSessionAttributes: (attributes) => attributes,
  });

  async function lookUp(sessionId: string): Promise<(KnownSession & { isRenewed: boolean }) | null> {
    const { session } = await lucia.validateSession(sessionId);
    if (!session) return null;
    const { userId, storedExpiresAt, createdAt, lastSeenAt } = session;
    const isWritten = session.fresh && !unrenewed.delete(sessionId);
    const expiresAt = isWritten ? renewedExpiry(createdAt, clock()) : storedExpiresAt;
    return { userId, createdAt, expiresAt, lastSeenAt, isRenewed: expiresAt > storedExpiresAt };
  }

  return {
    async create(userId, { from, shown, beside }) {
      const createdAt = clock();
      const attributes = {
        createdAt,
        storedExpiresAt: createdAt,
        lastSeenAt: createdAt,
        addressGroup: addressGroup(from.address),
        userAgent: from.userAgent?.slice(0, userAgentCharactersMax) ?? null,
        shown,
        ...(beside && { beside }),
      };
      const { id } = await lucia.createSession(userId, attributes, { sessionId: ids.make() });
      begun.set(hashSessionId(id), true);
      const expiresAt = renewedExpiry(createdAt, createdAt);
      return { id, userId, expiresAt, isRenewed: true, isConfirmed: true };
    },
    async validate(sessionId, address = '', hashedId = hashSessionId(sessionId)) {
      let isRenewed = false;
      const isKnown = known.has(hashedId) || begun.peek(hashedId) === true;
      if (!isKnown && (!ids.isOwn(sessionId) || ended.get(hashedId))) return null;
      const found = await known.ask(hashedId, async () => {
        const session = await (isKnown ? lookUp(sessionId) : lookUps({ address }, () => lookUp(sessionId)));
        if (!session) return null;
        isRenewed = session.isRenewed;
        const { userId, createdAt, expiresAt, lastSeenAt } = session;
        return { userId, createdAt, expiresAt, lastSeenAt };
      });
      if (!found) {
        begun.delete(hashedId);
        ended.set(hashedId, true);
      }
      const now = clock();
      if (!found || found.value.expiresAt <= now) return null;
      found.value.lastSeenAt = lastSeen.note(hashedId, found.value.lastSeenAt, now);
      const { userId, expiresAt } = found.value;
      return { id: sessionId, userId, expiresAt, isRenewed, isConfirmed: found.isConfirmed };
    },
    async end(hashedId, beside) {
      const work = async (tx: Database) => {
        const deleted = await tx
          .delete(sessions)
          .where(eq(sessions.id, hashedId))
          .returning({ id: sessions.id });
        if (deleted.length > 0) await beside?.(tx);
      };
      await record.write(work, { mayUseReserve: true });
    },
  };
}
