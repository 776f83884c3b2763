import { and, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { accountActions } from '#shared/account-actions.ts';
import { type AccountEvent, type accountActivityList, accountEventShape } from '#shared/account-activity.ts';
import type { Context } from './context.ts';
import { readPage } from './read-page.ts';
import type { MemberContext } from './scope.ts';

type ActivityContext = Pick<MemberContext, 'db' | 'principal'> &
  Pick<Context, 'noteTotal' | 'held' | 'request'>;

/** What the audit has of the caller's own account: what they did, and what others did or tried with it. */
export async function readAccountActivity(
  ctx: ActivityContext,
  input: z.output<typeof accountActivityList>,
): Promise<AccountEvent[]> {
  const { userId } = ctx.principal;
  const isOwn = or(
    and(eq(auditEntries.actorKind, 'user'), eq(auditEntries.actorId, userId)),
    and(eq(auditEntries.targetKind, 'account'), eq(auditEntries.targetId, userId)),
  );
  const isOfAccounts = and(
    isNull(auditEntries.workspaceId),
    inArray(auditEntries.action, [...accountActions]),
  );
  const rows = (narrow?: SQL) =>
    ctx.db
      .select()
      .from(auditEntries)
      .where(and(isOwn, isOfAccounts, narrow))
      .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id));
  const page = await readPage(ctx, input, { id: auditEntries.id, rows });
  return page.map(toAccountEvent);
}

function toAccountEvent({
  actorKind,
  createdAt,
  after,
  ...row
}: typeof auditEntries.$inferSelect): AccountEvent {
  const by = row.action === 'auth.secondStep' ? (after?.['by'] ?? null) : null;
  return accountEventShape.parse({ ...row, by, actor: actorKind, createdAt: createdAt.toISOString() });
}
