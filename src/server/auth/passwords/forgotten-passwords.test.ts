import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import type { Settings } from '#server/env.ts';
import { createLog } from '#server/log.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { from, makeTestAuth, newAccount } from '#server/testing/test-auth.ts';
import { disableAccount } from '../disable-account.ts';
import { issueResetToken } from './reset-links.ts';

const publicUrl = 'https://search.example.com';
const sender = 'vectora@search.example.com';

describe('a forgotten password', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterEach(async () => {
    for (const closeOne of closers.splice(0)) await closeOne();
  });
  afterAll(() => close());

  async function start(
    settings: Partial<Settings> = {},
    options: Parameters<typeof startMailServer>[0] = {},
    urlEnd = '',
  ) {
    const mail = await startMailServer(options);
    const logLines: string[] = [];
    const log = createLog('info', (line) => logLines.push(line));
    const mailer = createMailer({ url: `${mail.url}${urlEnd}`, from: `Vectora <${sender}>` });
    const server = makeTestAuth(record, { publicUrl, ...settings }, { mailer, log });
    closers.push(() => server.auth.close(), mail.close);
    const input = newAccount();
    const { user } = await server.auth.register(input, from('198.51.100.1'));
    return {
      ...server,
      user,
      email: input.email,
      letters: mail.letters,
      logLines,
      tokens: () => mail.letters.map(({ text }) => /\/reset-password\/([\w-]{43})\s/.exec(text)?.[1] ?? ''),
    };
  }

  test('has a link mailed to the account’s own address, which sets a new one', async () => {
    const { auth, user, email, letters, tokens } = await start();
    auth.forgotPassword(email.toUpperCase(), from('198.51.100.1'));
    await expect.poll(() => letters.length).toBe(1);
    expect(letters[0]).toMatchObject({ from: sender, to: [email] });
    expect(letters[0]?.text).toContain(`${publicUrl}/reset-password/`);
    expect(letters[0]?.text).toContain('Subject: Set a new password for Vectora');
    const [token = ''] = tokens();
    const next = { token, password: 'difference engine', confirmPassword: 'difference engine' };
    expect(await auth.resetPassword(next, from('a'))).toMatchObject({ email });
    const acts = await record.db.select().from(auditEntries).where(eq(auditEntries.targetId, user.id));
    expect(acts.filter(({ action }) => action === 'auth.forgotPassword')).toMatchObject([
      { actorKind: 'nobody', address: '198.51.100.1', outcome: 'done' },
    ]);
  });

  test('of nobody, or of an account that is disabled, is no letter', async () => {
    const { auth, clock, email, letters } = await start();
    await record.write((tx) => disableAccount(tx, { email, now: clock() }));
    auth.forgotPassword('nobody@example.org', from('198.51.100.1'));
    auth.forgotPassword(email, from('198.51.100.1'));
    await auth.close();
    expect(letters).toEqual([]);
  });

  test('is three letters an hour at most, each with a link that is good, beside an operator’s', async () => {
    const { auth, clock, email, letters, tokens, pass, logLines } = await start();
    const operators = await record.write((tx) => issueResetToken(tx, { email, now: clock() }));
    for (let count = 1; count <= 2; count++) {
      auth.forgotPassword(email, from('198.51.100.1'));
      await expect.poll(() => letters.length).toBe(count);
    }
    for (const token of [operators?.token ?? '', ...tokens()])
      expect(await auth.resetLink(token, from('a'))).toMatchObject({ email });
    auth.forgotPassword(email, from('198.51.100.1'));
    await expect.poll(() => logLines.join('\n')).toContain('no reset link was due');
    pass(60 * 60_000);
    auth.forgotPassword(email, from('198.51.100.1'));
    await expect.poll(() => letters.length).toBe(3);
    const [, , newest = ''] = tokens();
    const next = { token: newest, password: 'difference engine', confirmPassword: 'difference engine' };
    await auth.resetPassword(next, from('a'));
    for (const token of tokens())
      await expect(auth.resetLink(token, from('a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('asking is limited by address, whoever’s password it is', async () => {
    const { auth } = await start({ loginTriesPerAddress: 3 });
    const ask = () => auth.forgotPassword('nobody@example.org', from('203.0.113.9'));
    for (let i = 0; i < 3; i++) ask();
    expect(ask).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
  });

  test('a letter that nobody takes is in the log, and in no answer', async () => {
    const refusing = {
      onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error('no')),
    };
    const { auth, email, letters, logLines } = await start({}, refusing);
    expect(auth.forgotPassword(email, from('198.51.100.1'))).toBeUndefined();
    await expect.poll(() => logLines.join('\n')).toContain('a reset link was not sent');
    expect(letters).toEqual([]);
    expect(logLines.join('\n')).not.toContain('/reset-password/');
  });

  test('a server that is to speak TLS and does not gets no letter', async () => {
    const { auth, email, letters, logLines } = await start({}, {}, '/?requireTLS=true');
    auth.forgotPassword(email, from('198.51.100.1'));
    await expect.poll(() => logLines.join('\n')).toContain('a reset link was not sent');
    expect(letters).toEqual([]);
  });

  test('without mail is a matter of whoever runs the server', () => {
    const { auth } = makeTestAuth(record);
    expect(auth.sendsMail).toBe(false);
    const ask = () => auth.forgotPassword('nobody@example.org', from('a'));
    expect(ask).toThrow(expect.objectContaining({ code: 'UNPROCESSABLE' }));
    expect(ask).toThrow('ask whoever runs it');
  });
});
