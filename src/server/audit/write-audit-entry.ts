import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { redactText } from '#server/log.ts';
import type { AuditOutcome } from '#shared/audit-names.ts';
import type { Actor, AuditEntry } from './audit-entry.ts';

/** Writes an act in the transaction that does it: there is none without its entry, and no entry for what was rolled back. */
export async function writeAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  await db.insert(auditEntries).values(toAuditRow(entry, { outcome: 'done', times: 1 }));
}

export function toAuditRow(entry: AuditEntry, { outcome, times }: { outcome: AuditOutcome; times: number }) {
  const { at, action, actor, workspaceId, target, before, after, from } = entry;
  return {
    createdAt: at,
    action,
    outcome,
    times,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: nameOf(actor),
    workspaceId,
    targetKind: target?.kind,
    targetId: target?.id,
    targetName: target && redactText(target.name),
    before: before && bounded(before),
    after: after && bounded(after),
    address: from && cut(from.address, addressCharactersMax),
    userAgent: from?.userAgent && cut(from.userAgent, userAgentCharactersMax),
    requestId: from?.requestId,
  };
}

const addressCharactersMax = 100;
const userAgentCharactersMax = 300;
const valueCharactersMax = 2_000;

function nameOf({ kind, id, name }: Actor) {
  if (name !== undefined || id === null) return name;
  if (kind === 'user') return sql<string>`(select ${users.username} from ${users} where ${users.id} = ${id})`;
  return sql<string>`(select ${apiKeys.name} from ${apiKeys} where ${apiKeys.id} = ${id})`;
}

/** What the column takes: jsonb has neither U+0000 nor half a surrogate pair, and one act must not fill the table. */
function bounded(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, boundedValue(value)]));
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string')
    return cut(value.toWellFormed().replaceAll('\u0000', '\uFFFD'), valueCharactersMax);
  const { length } = JSON.stringify(value) ?? '';
  return length <= valueCharactersMax ? value : `${length} characters`;
}

/** Without what looks like a secret: anybody may write one anywhere. */
function cut(whole: string, charactersMax: number): string {
  const text = redactText(whole);
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1).toWellFormed()}…`;
}
