import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { makeApiKey } from '#server/auth/keys/key-format.ts';
import { createKnownCallers } from '#server/auth/known/known-callers.ts';
import { checkAppSecret } from '#server/auth/secrets/app-secret.ts';
import { createSecretBox } from '#server/auth/secrets/secret-box.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import type { Deps } from '#server/deps.ts';
import { createLog } from '#server/log.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';

const refused = { code: 'UNAUTHORIZED', message: 'This API key is not valid' };

describe('API keys', () => {
  let kit: Kit;
  let deps: Deps;
  beforeAll(async () => {
    kit = await startKit();
    deps = kit.deps;
  });
  afterAll(() => kit.close());

  test('a new key is whole in the answer, masked from then on, and says who it is', async () => {
    const { call, project, user } = await newTenant(deps);
    const created = await call.apiKeys.create({ name: 'Shop', projectId: project.id });
    expect(created).toEqual({
      id: created.id,
      name: 'Shop',
      key: expect.stringMatching(/^vk_[0-9A-Za-z]{24}_[0-9A-Za-z]{6}$/),
      lastFour: created.key.slice(-4),
      projectId: project.id,
      permissions: ['read', 'write'],
      collections: null,
      isActive: true,
      lastUsed: null,
      requestsLast24h: 0,
      former: null,
      expiresAt: null,
      createdAt: created.createdAt,
    });
    const masked = { ...created, key: `${'•'.repeat(32)}${created.lastFour}` };
    expect(await call.apiKeys.list({ projectId: project.id })).toEqual([masked]);
    expect(await deps.auth.authenticateKey(created.key)).toEqual({
      kind: 'key',
      isConfirmed: true,
      keyId: created.id,
      projectId: project.id,
      workspaceId: project.workspaceId,
      ownerId: user.id,
      permissions: ['read', 'write'],
      collectionIds: null,
    });
  });

  test('a key that is unknown, switched off, expired or deleted is refused in the same words, at once', async () => {
    const { clock, pass } = fakeClock(new Date());
    const auth = createAuth({ ...deps, clock, known: createKnownCallers({ ...deps, clock }) });
    const { call, project } = await newTenant(deps);
    const expiresAt = new Date(clock().getTime() + 60_000).toISOString();
    const created = await call.apiKeys.create({ name: 'Key', projectId: project.id, expiresAt });
    const key = created.key;
    await auth.authenticateKey(key);
    await expect(auth.authenticateKey(makeApiKey())).rejects.toMatchObject(refused);
    await call.apiKeys.update({ id: created.id, isActive: false });
    await expect(auth.authenticateKey(key)).rejects.toMatchObject(refused);
    await call.apiKeys.update({ id: created.id, isActive: true });
    await auth.authenticateKey(key);
    pass(60_000);
    await expect(auth.authenticateKey(key)).rejects.toMatchObject(refused);
    await call.apiKeys.update({ id: created.id, expiresAt: null });
    await auth.authenticateKey(key);
    expect((await call.apiKeys.delete({ id: created.id })).id).toBe(created.id);
    await expect(auth.authenticateKey(key)).rejects.toMatchObject(refused);
    await expect(call.apiKeys.delete({ id: created.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a malformed key is refused without a look into the database', async () => {
    const askedNever = new Proxy(deps.record.db, {
      get: () => {
        throw new Error('the database was asked');
      },
    });
    const auth = createAuth({ ...deps, record: { ...deps.record, db: askedNever } });
    for (const text of ['', 'vk_', 'not a key', `${makeApiKey().slice(0, -1)}!`, '\u0000']) {
      await expect(auth.authenticateKey(text)).rejects.toMatchObject(refused);
    }
    await expect(auth.authenticateKey(makeApiKey())).rejects.toThrow('the database was asked');
  });

  test('limits are names outside and ids inside: they follow a rename, and a name nobody bears is refused', async () => {
    const { call, project } = await newTenant(deps);
    const films = await call.collections.create({ name: 'Films', projectId: project.id });
    await call.collections.create({ name: 'Books', projectId: project.id });
    const created = await call.apiKeys.create({
      name: 'Key',
      projectId: project.id,
      permissions: ['read', 'read'],
      collections: ['Films', 'Books', 'Films'],
    });
    expect(created).toMatchObject({ permissions: ['read'], collections: ['Films', 'Books'] });
    await call.collections.update({ collection: films.id, name: 'Movies' });
    const [listed] = await call.apiKeys.list({ projectId: project.id });
    expect(listed?.collections).toEqual(['Movies', 'Books']);
    const unknown = call.apiKeys.create({
      name: 'Key',
      projectId: project.id,
      collections: ['Books', 'Films'],
    });
    await expect(unknown).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('collections.1'),
    });
  });

  test('renaming a key does not revive one that is switched off at the same moment', async () => {
    const { call, project } = await newTenant(deps);
    const keys = await Promise.all(
      Array.from({ length: 10 }, (_, i) => call.apiKeys.create({ name: `key ${i}`, projectId: project.id })),
    );
    await Promise.all(
      keys.flatMap(({ id }) => [
        call.apiKeys.update({ id, isActive: false }),
        call.apiKeys.update({ id, name: 'renamed' }),
        call.apiKeys.update({ id, expiresAt: null }),
      ]),
    );
    for (const key of await call.apiKeys.list({ projectId: project.id })) {
      expect(key).toMatchObject({ name: 'renamed', isActive: false });
    }
  });

  test('a name of another project’s collection is not a limit', async () => {
    const { call, project } = await newTenant(deps);
    const stranger = await newTenant(deps);
    await stranger.call.collections.create({ name: 'Theirs', projectId: stranger.project.id });
    const attempt = call.apiKeys.create({ name: 'Key', projectId: project.id, collections: ['Theirs'] });
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await call.apiKeys.list({ projectId: project.id })).toEqual([]);
  });

  test('last use is kept to the minute and seen in the list', async () => {
    const { clock, pass } = fakeClock(new Date('2026-03-01T12:00:00.000Z'));
    const auth = createAuth({ ...deps, clock, known: createKnownCallers({ ...deps, clock }) });
    const { principal, project } = await newTenant(deps);
    const call = callAs({ ...deps, auth }, principal);
    const created = await call.apiKeys.create({ name: 'Key', projectId: project.id });
    const lastUsed = async () => (await call.apiKeys.list({ projectId: project.id }))[0]?.lastUsed;
    expect(await lastUsed()).toBeNull();
    for (let i = 0; i < 5; i++) await auth.authenticateKey(created.key);
    expect(await lastUsed()).toBe('2026-03-01T12:00:00.000Z');
    pass(59_000);
    await auth.authenticateKey(created.key);
    expect(await lastUsed()).toBe('2026-03-01T12:00:00.000Z');
    pass(1_000);
    await auth.authenticateKey(created.key);
    expect(await lastUsed()).toBe('2026-03-01T12:01:00.000Z');
  });

  test('a key used while it is being deleted does not disturb the others', async () => {
    const auth = createAuth({ ...deps, clock: () => new Date() });
    const { call, project } = await newTenant(deps);
    const first = await call.apiKeys.create({ name: 'First', projectId: project.id });
    const second = await call.apiKeys.create({ name: 'Second', projectId: project.id });
    await auth.authenticateKey(first.key);
    await auth.authenticateKey(second.key);
    await call.apiKeys.delete({ id: first.id });
    await auth.flush();
    expect((await call.apiKeys.list({ projectId: project.id }))[0]?.lastUsed).not.toBeNull();
  });

  test('two keys made at the same moment do not pass the limit', async () => {
    const { call, project } = await newTenant(deps);
    const { sql: driver } = deps.record;
    await driver`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
      select ${project.id}, n::text, decode(md5(${project.id} || '-' || n), 'hex'), '', '', '{}' from generate_series(1, 999) n`;
    const rival = await driver.reserve();
    // Keys can be counted now and not added, so that whoever counts does it before the other has added.
    await rival`begin`;
    await rival`lock table api_keys in share row exclusive mode`;
    const both = Promise.allSettled(
      ['a', 'b'].map((name) => call.apiKeys.create({ name, projectId: project.id })),
    );
    try {
      await expect
        .poll(async () => {
          // Timers write when keys were last used, and purge them: they wait too.
          const [waiting] = await driver`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ~ '^(insert|select)'`;
          return waiting?.['count'];
        })
        .toBe(2);
    } finally {
      await rival`commit`;
      rival.release();
    }
    const outcomes = await both;
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = outcomes.find(({ status }) => status === 'rejected');
    expect(refusal).toMatchObject({ reason: { code: 'UNPROCESSABLE_CONTENT' } });
  });

  test('with another application secret keys work and are not revealed, and the start says so', async () => {
    const { principal, call: before, project } = await newTenant(deps);
    const created = await before.apiKeys.create({ name: 'Key', projectId: project.id });
    const secrets = createSecretBox('quite another secret of more than thirty-two characters');
    const call = callAs({ ...deps, secrets }, principal);
    await expect(call.apiKeys.reveal({ id: created.id })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringContaining('APP_SECRET'),
    });
    expect(await call.apiKeys.list({ projectId: project.id })).toHaveLength(1);
    await deps.auth.authenticateKey(created.key);
    const warnings = async (box: typeof secrets) => {
      const lines: string[] = [];
      await checkAppSecret({
        record: deps.record,
        secrets: box,
        log: createLog('warn', (line) => lines.push(line)),
      });
      return lines;
    };
    expect(await warnings(secrets)).toEqual([expect.stringContaining('APP_SECRET')]);
    expect(await warnings(deps.secrets)).toEqual([]);
  });

  test('a ciphertext moved to another row does not reveal the key there', async () => {
    const victim = await newTenant(deps);
    const thief = await newTenant(deps);
    const theirs = await victim.call.apiKeys.create({ name: 'Key', projectId: victim.project.id });
    const own = await thief.call.apiKeys.create({ name: 'Key', projectId: thief.project.id });
    await deps.record.write((db) =>
      db
        .update(apiKeys)
        .set({ ciphertext: sql`(select ciphertext from api_keys where id = ${theirs.id})` })
        .where(eq(apiKeys.id, own.id)),
    );
    await expect(thief.call.apiKeys.reveal({ id: own.id })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
  });

  test('neither a dump nor the log holds a key', async () => {
    const { call, project } = await newTenant(deps);
    const key = (await call.apiKeys.create({ name: 'Key', projectId: project.id })).key;
    await deps.auth.authenticateKey(key);
    await expect(deps.auth.authenticateKey(`${key}x`)).rejects.toMatchObject(refused);
    const dump = await dumpRecord(deps.record);
    const inHex = Buffer.from(key).toString('hex');
    for (const text of [key, key.slice(3, 27), inHex]) {
      expect(dump).not.toContain(text);
      expect(kit.logLines.join('\n')).not.toContain(text);
    }
  });
});
