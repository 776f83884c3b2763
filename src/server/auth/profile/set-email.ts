import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { emailChanges, passwordResets, users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import { identityKey } from '../identity.ts';
import type { UserRow } from '../sign-in.ts';

/** Sets an account's email. Links that were sent to the former one are not good any more. */
export async function setEmail(tx: Database, { id, email }: { id: number; email: string }): Promise<UserRow> {
  const [updated] = await tx
    .update(users)
    .set({ email, emailKey: identityKey(email) })
    .where(eq(users.id, id))
    .returning();
  if (!updated) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  await tx.delete(passwordResets).where(eq(passwordResets.userId, id));
  await tx.delete(emailChanges).where(eq(emailChanges.userId, id));
  return updated;
}
