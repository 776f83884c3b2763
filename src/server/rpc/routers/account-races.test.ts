import { eq } from 'drizzle-orm';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { disableAccount, enableAccount } from '#server/auth/disable-account.ts';
import { issueResetToken } from '#server/auth/passwords/reset-links.ts';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { call, must, type SignedUp, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { countLockWaits } from '#server/testing/lock-waits.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Member } from '#shared/members.ts';

/** Whoever knows a password must not get the better of the owner who is changing it, nor send letters to anybody. */

let kit: Kit;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let beforeDelivery: () => Promise<unknown> = async () => {};
beforeAll(async () => {
  mail = await startMailServer({
    onRcptTo: (_address, _session, done) => void beforeDelivery().then(() => done(), done),
  });
  kit = await startKit({ settings: { mail: { url: mail.url, from: 'vectora@example.org' } } });
});
afterEach(() => {
  beforeDelivery = async () => {};
});
afterAll(async () => {
  await kit.close();
  await mail.close();
});

const password = 'correct horse battery staple';
const next = 'another horse battery staple';

const move = (owner: SignedUp, email: string, more: object = {}) => {
  const body = { email, currentPassword: password, ...more };
  return call<ErrorBody>(kit, { method: 'PUT', path: '/api/account', body, as: owner.as });
};

/** As the owner does who has lost the account to somebody. */
async function reset({ user: { email } }: SignedUp): Promise<void> {
  const issued = await kit.deps.record.write((tx) => issueResetToken(tx, { email, now: new Date() }));
  const body = { token: issued?.token, password: next, confirmPassword: next };
  await must(call(kit, { method: 'POST', path: '/api/auth/reset-password', body }));
}

/** Follows the link of the last one. */
function openLetter() {
  const token = /\/confirm-email\/([\w-]{43})\s/.exec(mail.letters.at(-1)?.text ?? '')?.[1];
  return call(kit, { method: 'POST', path: '/api/account/confirm-email', body: { token } });
}

const signInWith = (email: string, given: string) =>
  call(kit, { method: 'POST', path: '/api/auth/login', body: { email, password: given } });

test('a new email whose letter was on its way when the password was reset is not the account’s', async () => {
  const owner = await signUp(kit);
  beforeDelivery = () => {
    beforeDelivery = async () => {};
    return reset(owner);
  };
  expect(await move(owner, 'thief@example.net')).toMatchObject({ status: 409 });
  expect((await openLetter()).status).toBe(404);
  expect((await signInWith(owner.user.email, next)).status).toBe(200);
});

test('a new email takes a code where signing in does', async () => {
  const owner = await signUp(kit);
  const ask = <T>(name: string, body: object) =>
    must(call<{ result: { data: T } }>(kit, { method: 'POST', path: `/trpc/${name}`, body, as: owner.as }));
  const { secret } = (await ask<{ secret: string }>('secondFactor.start', { password })).result.data;
  const { recoveryCodes } = (
    await ask<{ recoveryCodes: string[] }>('secondFactor.confirm', { code: new TOTP({ secret }).generate() })
  ).result.data;
  const email = 'with-a-code@example.net';
  mail.letters.length = 0;
  const refused = { status: 400, body: { details: [{ path: 'code' }] } };
  expect(await move(owner, email)).toMatchObject(refused);
  expect(await move(owner, email, { code: '000000' })).toMatchObject(refused);
  expect(mail.letters).toEqual([]);
  expect(await move(owner, email, { code: recoveryCodes[0] })).toMatchObject({ status: 200 });
  expect(await move(owner, email, { code: recoveryCodes[0] })).toMatchObject(refused);
  expect(mail.letters).toMatchObject([{ to: [email] }]);
});

test('a new email that was asked for before the account was disabled is not its own once it is enabled', async () => {
  const owner = await signUp(kit);
  await must(move(owner, 'while-shut-out@example.net'));
  const { email } = owner.user;
  const now = new Date();
  await kit.deps.record.write((tx) => disableAccount(tx, { email, now }));
  await kit.deps.record.write((tx) => enableAccount(tx, { email, now }));
  expect((await openLetter()).status).toBe(404);
});

test('of two who set a password at once, one with the former, the later is refused', async () => {
  const owner = await signUp(kit);
  const body = { currentPassword: password, password: `${next}!`, confirmPassword: `${next}!` };
  const byThief = { method: 'PUT', path: '/api/auth/password', body, as: owner.as };
  const id = eq(users.id, owner.user.id);
  const byOwner = await holding((tx) => tx.update(users).set({ passwordHash: 'another one' }).where(id));
  const later = call<ErrorBody>(kit, byThief);
  await expect.poll(countWaiting).toBeGreaterThan(0);
  await byOwner.commit();
  expect(await later).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('changed meanwhile') },
  });
});

test('an account that is deleted while it accepts an invitation is no member in the end, and nothing fails', async () => {
  const [owner, guest] = [await signUp(kit), await signUp(kit)];
  const { id: workspaceId } = owner.workspace;
  const invite = { method: 'POST', path: `/api/workspaces/${workspaceId}/invitations`, as: owner.as };
  const { token } = await must(call<{ token: string }>(kit, { ...invite, body: { role: 'viewer' } }));
  const held = await holding((tx) =>
    tx.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for('no key update'),
  );
  const accept = { method: 'POST', path: '/api/invitations/accept', body: { token }, as: guest.as };
  const later = call<ErrorBody>(kit, accept);
  await expect.poll(countWaiting).toBeGreaterThan(0);
  const remove = { method: 'POST', path: '/api/account/delete', body: { password }, as: guest.as };
  let isRemoved = false;
  const removal = must(call(kit, remove)).finally(() => {
    isRemoved = true;
  });
  await expect.poll(async () => isRemoved || (await countWaiting()) > 1).toBe(true);
  await held.commit();
  expect([200, 401]).toContain((await later).status);
  await removal;
  const list = { method: 'GET', path: `/api/workspaces/${workspaceId}/members`, as: owner.as };
  expect(await must(call<Member[]>(kit, list))).toMatchObject([{ id: owner.user.id }]);
});

/** A transaction that has done this and goes on when it is told to. */
async function holding(work: (tx: Database) => PromiseLike<unknown>) {
  const turns = { begun: () => {}, commit: () => {} };
  const hasBegun = new Promise<void>((resolve) => Object.assign(turns, { begun: resolve }));
  const mayCommit = new Promise<void>((resolve) => Object.assign(turns, { commit: resolve }));
  const whole = kit.deps.record.write(async (tx) => {
    await work(tx);
    turns.begun();
    await mayCommit;
  });
  await hasBegun;
  return {
    commit() {
      turns.commit();
      return whole;
    },
  };
}

const countWaiting = () => countLockWaits(kit.deps.settings.databaseUrl ?? '');

test('links to new emails go to a few addresses a day, whatever becomes of them', async () => {
  const owner = await signUp(kit);
  mail.letters.length = 0;
  const statuses: number[] = [];
  for (let i = 0; i <= limits.emailLinksPerDayMax; i += 1)
    statuses.push((await move(owner, `stranger-${i}@example.net`)).status);
  expect(statuses).toEqual([...Array.from({ length: limits.emailLinksPerDayMax }, () => 200), 429]);
  expect(mail.letters).toHaveLength(limits.emailLinksPerDayMax);
  const other = await signUp(kit);
  expect((await move(other, 'somebody@example.net')).status).toBe(200);
});

test('no owner goes who leaves others with one that cannot sign in', async () => {
  const [owner, shutOut, viewer] = [await signUp(kit), await signUp(kit), await signUp(kit)];
  const { id: workspaceId } = owner.workspace;
  await kit.deps.record.write(async (tx) => {
    await tx.insert(members).values([
      { workspaceId, userId: shutOut.user.id, role: 'owner' },
      { workspaceId, userId: viewer.user.id, role: 'viewer' },
    ]);
    await disableAccount(tx, { email: shutOut.user.email, now: new Date() });
  });
  const ask = (method: string, path: string, body?: object) =>
    call<ErrorBody>(kit, { method, path, body, as: owner.as });
  expect(await ask('DELETE', `/api/workspaces/${workspaceId}/membership`)).toMatchObject({ status: 409 });
  expect(await ask('POST', '/api/account/delete', { password })).toMatchObject({ status: 409 });
  const shown = await ask('GET', `/api/workspaces/${workspaceId}/membership`);
  expect(shown.body).toEqual({ role: 'owner', members: 3, owners: 1 });
});
