import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { emailChanges, passwordResets, secondFactors, sessions, users } from '#server/db/schema/accounts.ts';

/**
 * Sets an account's password. Its sessions end, but for the one kept, and no reset link, nor one that would change its email, is good any more. Whoever tried codes with the former
 * one is asked for this one first, so the count of wrong codes begins anew.
 */
export async function setPassword(
  tx: Database,
  { userId, passwordHash, keptSession }: { userId: number; passwordHash: string; keptSession: string | null },
): Promise<void> {
  // The row is locked first: whoever signs in with the former password is in before, or not at all.
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
  await tx.update(secondFactors).set({ wrongCodes: 0 }).where(eq(secondFactors.userId, userId));
  const ended = eq(sessions.userId, userId);
  await tx.delete(sessions).where(keptSession === null ? ended : and(ended, ne(sessions.id, keptSession)));
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
}
