import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueResetToken } from '#server/auth/passwords/reset-links.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import type { Workspace } from '#shared/workspaces.ts';
import { call, must } from './callers.ts';
import { dumpRecord } from './dump.ts';
import { type Kit, startKit } from './kit.ts';

/** Secrets that come in by every door never stand in the log, in the record, or in what is answered to somebody who is refused. */

let kit: Kit;
beforeAll(async () => {
  kit = await startKit({ logLevel: 'debug' });
});
afterAll(() => kit.close());

const email = 'planted@example.com';
const password = 'the planted passphrase of ada';
const wrong = 'a wrongly planted passphrase';

test('passwords, keys, cookies and reset links are nowhere but where they belong', async () => {
  const refused: string[] = [];
  const ask = async (method: string, path: string, more: Partial<Parameters<typeof call>[1]> = {}) => {
    const answer = await call<unknown>(kit, { method, path, ...more });
    if (answer.status >= 400) refused.push(JSON.stringify(answer.body));
    return answer;
  };
  const account = { email, username: 'planted', password, confirmPassword: password };
  const signedUp = await ask('POST', '/api/auth/register', { body: account });
  const cookies = signedUp.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const as = { cookie: cookies.join('; ') };
  await ask('POST', '/api/auth/register', { body: account });
  await ask('POST', '/api/auth/register', { body: { ...account, password: wrong } });
  await ask('POST', '/api/auth/login', { body: { email, password: wrong } });
  await ask('POST', '/api/auth/login', { body: { email, password: [wrong] } });
  await ask('POST', '/trpc/auth.login', { body: { email: 'x@example.com', password: wrong } });

  const get = <T>(path: string) => must(call<T>(kit, { method: 'GET', path, as }));
  const make = <T>(path: string, body: object) => must(call<T>(kit, { method: 'POST', path, body, as }));
  const procedure = async <T>(name: string, body: object) =>
    (await make<{ result: { data: T } }>(`/trpc/${name}`, body)).result.data;
  const { secret } = await procedure<{ secret: string }>('secondFactor.start', { password });
  const code = new TOTP({ secret }).generate();
  const { recoveryCodes } = await procedure<{ recoveryCodes: string[] }>('secondFactor.confirm', { code });
  const shown = await ask('POST', '/api/auth/login', { body: { email, password } });
  const cookie = shown.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const [used = '', second = ''] = recoveryCodes;
  for (const given of [used, used, `${second}x`, [second]])
    await ask('POST', '/api/auth/second-step', { body: { code: given }, cookie });
  const [workspace] = await get<Workspace[]>('/api/workspaces');
  const project = await make<Project>('/api/projects', { name: 'Shop', workspaceId: workspace?.id });
  const inProject = { name: 'films', projectId: project.id };
  const films = await make<Collection>('/api/collections', { ...inProject, dimension: 8 });
  const { id, key } = await make<ApiKey>('/api/api-keys', inProject);

  await ask('POST', `/api/api-keys/${id}/reveal`, { as });
  await ask('GET', `/api/collections?api_key=${key}`);
  await ask('GET', `/api/collections/films/search?query=x&key=${key}`, { as: { key } });
  await ask('GET', `/${key}/x`);
  await ask('GET', '/api/projects', { as: { key }, headers: { 'user-agent': `curl ${key}` } });
  await ask('GET', '/api/collections', { as: { key: `${key}x` } });
  const two = { 'x-api-key': key, authorization: `Bearer ${key}x` };
  await ask('GET', '/api/collections', { headers: two });
  const issued = await kit.deps.record.write((tx) => issueResetToken(tx, { email, now: new Date() }));
  const token = issued?.token ?? '';
  await ask('GET', `/reset-password/${token}`);
  await ask('POST', '/api/auth/reset-link', { body: { token } });
  await ask('POST', '/api/auth/reset-password', { body: { token, password: wrong, confirmPassword: 'x' } });
  const filter = encodeURIComponent(`id:=${key}`);
  await ask('DELETE', `/api/collections/${films.id}/documents?filter_by=${filter}`, { as });
  await ask('PUT', `/api/projects/${project.id}`, { body: { name: 'x', password }, as });
  const foreign = { cookie: as.cookie, origin: 'https://elsewhere.example' };
  await ask('POST', '/api/workspaces', { body: { name: 'x' }, headers: foreign });
  await ask('PUT', `/api/api-keys/${id}`, { body: { isActive: false }, as });
  await ask('GET', '/api/collections', { as: { key } });
  await ask('POST', '/api/auth/logout', { as });
  await ask('POST', '/api/projects', { body: { name: 'x' }, as });
  await kit.deps.denials.flush();

  const places = {
    log: kit.logLines.join('\n'),
    record: await dumpRecord(kit.deps.record),
    answers: refused.join('\n'),
  };
  expect(refused.length).toBeGreaterThan(10);
  expect(places.record).toContain('"auth.key"');
  const values = Object.fromEntries(cookies.map((cookie) => cookie.split('=', 2)));
  const codes = {
    secret,
    used,
    second,
    plain: second.replaceAll('-', ''),
    pending: cookie.split('=')[1] ?? '',
  };
  const others = { key, part: key.slice(3, 27), token };
  const secrets: Record<string, string> = { password, wrong, ...others, ...codes, ...values };
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(Object.keys(secrets)).toContain('vectora_session');
  expect(secrets['pending']).not.toBe('');
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(secrets)) {
      expect(text.includes(secret), `${name} in ${place}`).toBe(false);
    }
  }
});
