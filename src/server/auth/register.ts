import { eq, or } from 'drizzle-orm';
import { addressGroup } from '#server/admission/address.ts';
import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { violatedUnique } from '#server/db/violated-unique.ts';
import { AppError } from '#server/errors.ts';
import { createWorkspace } from '#server/workspaces/create-workspace.ts';
import { firstProject } from '#server/workspaces/first-project.ts';
import type { RegisterInput } from '#shared/accounts.ts';
import type { SignedIn, Visitor } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import { identityKey } from './identity.ts';
import { assertUncommon } from './passwords/password-rules.ts';
import { signIn, type UserRow } from './sign-in.ts';

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
    const rivals = await findRivals(parts, input, from).catch((error: unknown) => {
      tried.giveBack();
      throw error;
    });
    const user = await insertUser(parts, { input, rivals }, from);
    tried.giveBack();
    return user;
  } catch (error) {
    signup.giveBack();
    throw error;
  }
}

type Rival = Pick<UserRow, 'emailKey' | 'usernameKey'>;

/** What accounts are told apart by. */
function keysOf({ email, username }: Pick<RegisterInput, 'email' | 'username'>): Rival {
  return { emailKey: identityKey(email), usernameKey: identityKey(username) };
}

/** Accounts that have the email or the username. */
async function findRivals(
  { record, lookUps }: AuthParts,
  input: RegisterInput,
  from: Origin,
): Promise<Rival[]> {
  const { emailKey, usernameKey } = keysOf(input);
  return await lookUps(from, () =>
    record.db
      .select({ emailKey: users.emailKey, usernameKey: users.usernameKey })
      .from(users)
      .where(or(eq(users.emailKey, emailKey), eq(users.usernameKey, usernameKey))),
  );
}

/** A new account, its first workspace and a project in it, in one transaction. */
async function insertUser(
  { record, passwords, clock }: AuthParts,
  { input, rivals }: { input: RegisterInput; rivals: Rival[] },
  from: Origin,
): Promise<UserRow> {
  const now = clock();
  const { email, username, firstName, lastName } = input;
  const keys = keysOf(input);
  const taken = (['email', 'username'] as const).filter((field) =>
    rivals.some((rival) => rival[`${field}Key`] === keys[`${field}Key`]),
  );
  if (taken.length > 0) throw takenFields(taken);
  await record.assertWritable();
  const passwordHash = await passwords.hash(input.password, from);
  try {
    return await record.write(async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ ...keys, email, username, firstName, lastName, passwordHash, createdAt: now })
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
    const index = violatedUnique(error);
    if (index === 'users_email_key') throw takenFields(['email']);
    if (index === 'users_username_key') throw takenFields(['username']);
    throw error;
  }
}

function takenFields(fields: ('email' | 'username')[]): AppError {
  const details = fields.map((path) => ({ path, message: 'is already taken' }));
  const words = fields.map((field) => (field === 'email' ? 'This email' : 'This username'));
  return new AppError('CONFLICT', `${words.join(' and ')} is already taken`, { details });
}
