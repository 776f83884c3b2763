import { addressGroup } from '#server/admission/address.ts';
import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import { createWorkspace } from '#server/workspaces/create-workspace.ts';
import { firstProject } from '#server/workspaces/first-project.ts';
import type { RegisterInput } from '#shared/accounts.ts';
import type { AuthParts } from './auth-parts.ts';
import { assertUncommon } from './passwords/password-rules.ts';
import { signIn, type UserRow } from './sign-in.ts';
import { findTaken, type IdentityField, identityKeysOf, takenFields, takenMeanwhile } from './taken.ts';
import type { SignedIn, Visitor } from './visitor.ts';

export async function register(parts: AuthParts, input: RegisterInput, from: Visitor): Promise<SignedIn> {
  const { settings, log } = parts;
  if (settings.signup === 'closed') throw new AppError('FORBIDDEN', 'Sign-up is closed on this server');
  assertUncommon(input);
  const user = await insertCounted(parts, input, from);
  log.info('account created', { userId: user.id, requestId: from.requestId, address: from.address });
  // An account that was made counts as one, whatever becomes of its session.
  return await signIn(parts, user, { from });
}

/**
 * An answer "taken" tells that an account exists, so asking is limited like signing in; only accounts made count as sign-ups. Once the record
 * was asked, any other refusal tells that there is no such account, so that counts as asking too.
 */
async function insertCounted(parts: AuthParts, input: RegisterInput, from: Visitor): Promise<UserRow> {
  const { addressTries, signups } = parts;
  const group = addressGroup(from.address);
  const signup = signups.take(group);
  try {
    const tried = addressTries.take(group);
    const ask = () => findTaken(parts.record.db, input);
    const taken = await parts.lookUps(from, ask).catch((error: unknown) => {
      tried.giveBack();
      throw error;
    });
    const user = await insertUser(parts, { input, taken }, from);
    tried.giveBack();
    return user;
  } catch (error) {
    signup.giveBack();
    throw error;
  }
}

/** A new account, its first workspace and a project in it, in one transaction. */
async function insertUser(
  { record, passwords, clock }: AuthParts,
  { input, taken }: { input: RegisterInput; taken: IdentityField[] },
  from: Origin,
): Promise<UserRow> {
  const now = clock();
  const { email, username, firstName, lastName } = input;
  if (taken.length > 0) throw takenFields(taken);
  await record.assertWritable();
  const passwordHash = await passwords.hash(input.password, from);
  try {
    return await record.write(async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({
          ...identityKeysOf(input),
          email,
          username,
          firstName,
          lastName,
          passwordHash,
          createdAt: now,
        })
        .returning();
      if (!user) throw new Error('the inserted user was not returned');
      const name = `${firstName ?? username}'s Workspace`;
      const workspace = await createWorkspace(tx, { name }, { ownerId: user.id, now });
      await firstProject(tx, workspace.id, { userId: user.id, now });
      const account = { kind: 'account', id: user.id, name: username } as const;
      const actor = { kind: 'user', id: user.id, name: username } as const;
      const act = { at: now, action: 'auth.register', actor, workspaceId: null, target: account, from };
      await writeAuditEntry(tx, act);
      return user;
    });
  } catch (error) {
    // Another sign-up was faster between the look and the insert.
    throw takenMeanwhile(error) ?? error;
  }
}
