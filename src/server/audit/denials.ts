import { addressNames } from '#server/admission/address.ts';
import { CountedLines } from '#server/counted-lines.ts';
import type { Database, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { users } from '#server/db/schema/accounts.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import type { Actor, AuditEntry } from './audit-entry.ts';
import { findLeaver } from './find-leaver.ts';
import { RejectionLines } from './rejection-lines.ts';
import { toAuditRow } from './write-audit-entry.ts';

interface Denial extends Omit<AuditEntry, 'at' | 'before' | 'after'> {
  /** Of an account that was not looked up, since whoever is throttled costs no statement: it is when the denial is written. */
  emailKey?: string | undefined;
}

/**
 * Denials belong to no transaction and anybody can make many of them. So they are counted in memory, like with like, and written some
 * seconds later: what somebody tries a thousand times is one entry. When there is no room for a different one, whoever has most gives way:
 * nobody pushes out what was tried at another's.
 */
export interface Denials {
  readonly lines: RejectionLines;
  /** Of acts that change nothing and may be done as often as one likes. */
  readonly repeated: CountedLines;
  /** Of calls for which there was no room or no database (`warn`), and of those that failed by a fault of ours. Anybody can make many of them. */
  readonly failures: Readonly<Record<'warn' | 'error', CountedLines>>;
  note(denial: Denial): void;
  /** Writes what is counted so far; called on a timer. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Different denials within ten seconds: beyond that the table would grow by whoever has many addresses. */
const keysMax = 200;
const flushAfterMs = 10_000;

/** The line of the log. */
export const callFailed = 'procedure failed';

interface Counted {
  entry: AuditEntry;
  emailKey: string | undefined;
  times: number;
  /** Whose part of the room it takes. */
  path: string[];
}

export function createDenials(parts: {
  record: Pick<RecordStore, 'write'>;
  log: Log;
  clock: () => Date;
}): Denials {
  const { record, log, clock } = parts;
  const counted = new WriteBehind<Counted>({
    record,
    log,
    what: 'denials for the audit',
    keysMax,
    findLeaver,
    flushAfterMs,
    merge: (waiting, added) => ({ ...waiting, times: waiting.times + added.times }),
    async write(db, batch) {
      const accounts = await findAccounts(db, batch);
      const rows = batch.map(([, { entry, times, emailKey = '' }]) => {
        const actor = accounts.get(emailKey) ?? entry.actor;
        return toAuditRow({ ...entry, actor }, { outcome: 'refused', times });
      });
      await db.insert(auditEntries).values(rows);
    },
  });
  const lines = new RejectionLines(log);
  const repeated = new CountedLines(log, 'act');
  const failures = {
    warn: new CountedLines(log, callFailed, 'warn'),
    error: new CountedLines(log, callFailed, 'error'),
  };
  return {
    lines,
    repeated,
    failures,
    note({ emailKey, ...denial }) {
      const { action, actor, workspaceId, from } = denial;
      const key = JSON.stringify([action, actor.kind, actor.id, actor.name, workspaceId, from?.address]);
      counted.put(key, { entry: { ...denial, at: clock() }, emailKey, times: 1, path: pathOf(denial) });
    },
    flush: () => counted.flush(),
    async stop() {
      lines.stop();
      repeated.stop();
      failures.warn.stop();
      failures.error.stop();
      await counted.stop();
    },
  };
}

/** Those that there are, by the key of their email. */
async function findAccounts(db: Database, batch: [string, Counted][]): Promise<Map<string, Actor>> {
  const keys = batch.flatMap(([, { emailKey }]) => emailKey ?? []);
  if (keys.length === 0) return new Map();
  const { id, username: name, emailKey } = users;
  const found = await db.select({ id, name, emailKey }).from(users).where(isAnyOf(emailKey, keys));
  return new Map(found.map(({ emailKey: key, ...account }) => [key, { kind: 'user', ...account }]));
}

/** Workspaces share, and within one those who act; of what is no workspace's networks do, and within one addresses. */
function pathOf({ workspaceId, actor: { kind, id, name }, from }: Omit<Denial, 'emailKey'>): string[] {
  return workspaceId === null
    ? ['nobody', ...addressNames(from?.address ?? '')]
    : ['workspaces', `${workspaceId}`, `${kind} ${id ?? name ?? ''}`];
}
