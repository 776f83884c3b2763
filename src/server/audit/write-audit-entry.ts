import { and, desc, eq, gt, lte, sql } from 'drizzle-orm';
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

/** How long one entry stands for what is repeated. */
const countedMs = 60_000;

/** Of a workspace's act on one of its things. */
type RepeatedEntry = AuditEntry & { workspaceId: number; target: NonNullable<AuditEntry['target']> };

/**
 * The same for what changes nothing and may be done as often as one likes: an entry stands for all that its actor does to the same thing within a
 * minute, and says how often, and whether some of it was of another kind or came from another address.
 */
export async function writeRepeatedEntry(db: Database, entry: RepeatedEntry): Promise<void> {
  const { at, action, actor, workspaceId, target } = entry;
  const row = toAuditRow(entry, { outcome: 'done', times: 1 });
  const [known] = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.workspaceId, workspaceId),
        gt(auditEntries.createdAt, new Date(at.getTime() - countedMs)),
        lte(auditEntries.createdAt, at),
        eq(auditEntries.action, action),
        eq(auditEntries.outcome, 'done'),
        eq(auditEntries.actorKind, actor.kind),
        actor.id === null ? sql`false` : eq(auditEntries.actorId, actor.id),
        eq(auditEntries.targetKind, target.kind),
        eq(auditEntries.targetId, target.id),
      ),
    )
    .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
    .limit(1)
    .for('update');
  if (!known) return void (await db.insert(auditEntries).values(row));
  const others = othersOf(known, row);
  await db
    .update(auditEntries)
    .set({ times: sql`${auditEntries.times} + 1`, ...(others && { after: { ...known.after, ...others } }) })
    .where(eq(auditEntries.id, known.id));
}

/** Null: a repeated act is as the first one, or its difference is told already. */
function othersOf(
  { after, address }: typeof auditEntries.$inferSelect,
  row: ReturnType<typeof toAuditRow>,
): Record<string, true> | null {
  const isOther = (name: string) => JSON.stringify(after?.[name]) !== JSON.stringify(row.after?.[name]);
  const names = Object.keys(row.after ?? {}).filter(isOther);
  if (address !== row.address) names.push('address');
  const told = names.map((name) => `other_${name}`).filter((name) => after?.[name] === undefined);
  return told.length === 0 ? null : Object.fromEntries(told.map((name) => [name, true] as const));
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
