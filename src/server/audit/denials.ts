import { addressNames } from '#server/admission/address.ts';
import { CountedLines } from '#server/counted-lines.ts';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import type { AuditEntry } from './audit-entry.ts';
import { findLeaver } from './find-leaver.ts';
import { RejectionLines } from './rejection-lines.ts';
import { toAuditRow } from './write-audit-entry.ts';

type Denial = Omit<AuditEntry, 'at' | 'before' | 'after'>;

/**
 * Denials belong to no transaction and anybody can make many of them. So they are counted in memory, like with like, and written some
 * seconds later: what somebody tries a thousand times is one entry. When there is no room for a different one, whoever has most gives way:
 * nobody pushes out what was tried at another's.
 */
export interface Denials {
  readonly lines: RejectionLines;
  /** Of calls for which there was no room or no database. Anybody can make many of them. */
  readonly unavailable: CountedLines;
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
      const rows = batch.map(([, { entry, times }]) => toAuditRow(entry, { outcome: 'refused', times }));
      await db.insert(auditEntries).values(rows);
    },
  });
  const lines = new RejectionLines(log);
  const unavailable = new CountedLines(log, callFailed, 'warn');
  return {
    lines,
    unavailable,
    note(denial) {
      const { action, actor, workspaceId, from } = denial;
      const key = JSON.stringify([action, actor.kind, actor.id, actor.name, workspaceId, from?.address]);
      counted.put(key, { entry: { ...denial, at: clock() }, times: 1, path: pathOf(denial) });
    },
    flush: () => counted.flush(),
    async stop() {
      lines.stop();
      unavailable.stop();
      await counted.stop();
    },
  };
}

/** Workspaces share, and within one those who act; of what is no workspace's networks do, and within one addresses. */
function pathOf({ workspaceId, actor: { kind, id, name }, from }: Denial): string[] {
  return workspaceId === null
    ? ['nobody', ...addressNames(from?.address ?? '')]
    : ['workspaces', `${workspaceId}`, `${kind} ${id ?? name ?? ''}`];
}
