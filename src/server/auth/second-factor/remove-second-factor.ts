import { eq } from 'drizzle-orm';
import { byOperator } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { dropSecondFactor } from './second-factor.ts';

/** For an operator, whose word is that the owner has neither app nor recovery codes any more. */
export async function removeSecondFactor(
  tx: Database,
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) return;
  await dropSecondFactor(tx, userId);
  const target = { kind: 'account', id: userId, name: user.username } as const;
  const act = { at: now, action: 'secondFactor.remove', workspaceId: null, target };
  await writeAuditEntry(tx, { ...act, ...byOperator });
}
