import { and, eq, isNull, ne } from 'drizzle-orm';
import { accountName } from '#server/admission/requester.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database } from '#server/db/client.ts';
import { recoveryCodes, secondFactors, sessions, users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { SecondFactor } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import { assertPassword, assertPasswordStands } from '../passwords/assert-password.ts';
import type { UserPrincipal } from '../principal.ts';
import type { UserRow } from '../sign-in.ts';
import type { Asking } from '../visitor.ts';
import { askCode, refuseCode } from './ask-code.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { type SecondFactorRow, secretBinding, spendCode } from './spend-code.ts';
import { makeTotpSecret, totpUri } from './totp.ts';

/** What changes it is written in one transaction with its entry; see `SecondFactor`. */
export function createSecondFactor(parts: AuthParts): SecondFactor {
  const { record, secrets, log, clock } = parts;

  async function accountOf({ userId }: UserPrincipal): Promise<Account> {
    const { db } = record.as(accountName(userId));
    const [account] = await db
      .select({ user: users, factor: secondFactors })
      .from(users)
      .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
      .where(eq(users.id, userId));
    if (!account) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
    return account;
  }

  const askPassword = ({ principal: { sessionId }, from }: Asking, user: UserRow, password: string) =>
    assertPassword(parts, user, { sessionId, password, field: 'password', from });

  /** In one transaction with its entry, with the account's row locked first, as everywhere. */
  async function write<T>(
    { from }: Asking,
    { user, action }: { user: UserRow; action: string },
    work: (tx: Database, at: Date) => Promise<T>,
  ): Promise<T> {
    const { id, username: name } = user;
    const actor = { kind: 'user', id, name } as const;
    const target = { kind: 'account', id, name } as const;
    const done = await record.as(accountName(id)).write(async (tx) => {
      const at = clock();
      await assertPasswordStands(tx, user);
      const result = await work(tx, at);
      await writeAuditEntry(tx, { at, action, actor, workspaceId: null, target, from });
      return result;
    });
    log.info('act', { action, actor: `user ${id}`, requestId: from.requestId, address: from.address });
    return done;
  }

  /** With a code, of the app or for recovery. */
  async function changeByCode<T>(
    asking: Asking,
    { action, input }: { action: string; input: { password: string; code: string } },
    work: (tx: Database, account: { userId: number; at: Date }) => Promise<T>,
  ): Promise<T> {
    const { user, factor } = await accountOf(asking.principal);
    if (!factor?.confirmedAt) throw new AppError('CONFLICT', 'There is no second factor to sign in with');
    await askPassword(asking, user, input.password);
    const given = { user, factor, code: input.code, refuse: refuseCode };
    return await spendCode(parts, given, (_, spend) =>
      write(asking, { user, action }, async (tx, at) => {
        await spend(tx);
        return await work(tx, { userId: user.id, at });
      }),
    );
  }

  return {
    async state(principal) {
      const { factor } = await accountOf(principal);
      const { db } = record.as(accountName(principal.userId));
      const left = await db.$count(recoveryCodes, eq(recoveryCodes.userId, principal.userId));
      return { isOn: isOn(factor), recoveryCodesLeft: left };
    },

    async start(asking, { password }) {
      const { user, factor } = await accountOf(asking.principal);
      if (isOn(factor)) throw alreadyOn();
      await askPassword(asking, user, password);
      const secret = makeTotpSecret();
      await write(asking, { user, action: 'secondFactor.start' }, async (tx, at) => {
        const sealed = secrets.seal(secret, secretBinding(user.id));
        const made = { secret: sealed, lastStep: null, wrongCodes: 0, createdAt: at };
        const [started] = await tx
          .insert(secondFactors)
          .values({ userId: user.id, ...made })
          .onConflictDoUpdate({
            target: secondFactors.userId,
            set: made,
            setWhere: isNull(secondFactors.confirmedAt),
          })
          .returning({ userId: secondFactors.userId });
        if (!started) throw alreadyOn();
      });
      return { secret, uri: totpUri(secret, user.email) };
    },

    async confirm(asking, { code }) {
      const { user, factor } = await accountOf(asking.principal);
      if (isOn(factor)) throw alreadyOn();
      if (!factor) throw new AppError('CONFLICT', 'Setting up a second factor was not started');
      const given = { user, factor, code, refuse: refuseCode };
      const codes = await spendCode(parts, given, (_, spend) =>
        write(asking, { user, action: 'secondFactor.confirm' }, async (tx, at) => {
          await spend(tx);
          await tx.update(secondFactors).set({ confirmedAt: at }).where(eq(secondFactors.userId, user.id));
          const others = and(eq(sessions.userId, user.id), ne(sessions.id, asking.principal.sessionId));
          await tx.delete(sessions).where(others);
          return await replaceRecoveryCodes(tx, { userId: user.id, now: at });
        }),
      );
      return { recoveryCodes: codes };
    },

    async prove(asking, { password, code }) {
      const { user } = await accountOf(asking.principal);
      await askPassword(asking, user, password);
      await askCode(parts, user, code);
    },

    disable: (asking, input) =>
      changeByCode(asking, { action: 'secondFactor.disable', input }, (tx, { userId }) =>
        dropSecondFactor(tx, userId),
      ),

    renewCodes: (asking, input) =>
      changeByCode(asking, { action: 'secondFactor.renewCodes', input }, async (tx, { userId, at }) => ({
        recoveryCodes: await replaceRecoveryCodes(tx, { userId, now: at }),
      })),
  };
}

interface Account {
  user: UserRow;
  factor: SecondFactorRow | null;
}

export async function dropSecondFactor(tx: Database, userId: number): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
}

function isOn(factor: SecondFactorRow | null): boolean {
  return factor?.confirmedAt != null;
}

function alreadyOn(): AppError {
  return new AppError('CONFLICT', 'A second factor is set up already');
}
