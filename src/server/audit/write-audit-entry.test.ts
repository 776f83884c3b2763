import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { makeApiKey } from '#server/auth/keys/key-format.ts';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { newTenant, originAt, testPassword } from '#server/testing/procedure-caller.ts';
import type { AuditEntry } from './audit-entry.ts';
import { writeAuditEntry } from './write-audit-entry.ts';

const from = { requestId: 'r-1', address: '192.0.2.7', userAgent: 'curl/8' };
const act = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  at: new Date('2026-03-01T12:00:00.000Z'),
  action: 'workspaces.update',
  actor: { kind: 'nobody', id: null },
  workspaceId: null,
  target: null,
  from,
  ...given,
});

describe.each(databases)('audit entries on the %s database', (database) => {
  let kit: Kit;
  let record: RecordStore;
  beforeAll(async () => {
    kit = await startKit({ database });
    ({ record } = kit.deps);
  });
  afterAll(() => kit.close());

  const ofAction = (action: string) =>
    record.db.select().from(auditEntries).where(eq(auditEntries.action, action)).orderBy(auditEntries.id);

  test('signing up, in and out is one entry each, with who, whence and when', async () => {
    const { user, principal } = await newTenant(kit.deps);
    await kit.deps.auth.login({ email: user.email, password: testPassword }, from);
    await kit.deps.auth.logout(principal, from);
    await kit.deps.auth.logout(principal, from);
    const acts = await record.db.select().from(auditEntries).where(eq(auditEntries.actorId, user.id));
    const own = acts.filter(({ action }) => action.startsWith('auth.'));
    expect(own.map(({ action }) => action)).toEqual(['auth.register', 'auth.login', 'auth.logout']);
    expect(own[1]).toMatchObject({
      outcome: 'done',
      times: 1,
      actorKind: 'user',
      actorName: user.username,
      workspaceId: null,
      address: '192.0.2.7',
      userAgent: 'curl/8',
      requestId: 'r-1',
    });
    expect(own[2]?.actorName, 'read where it was not given').toBe(user.username);
  });

  test('a sign-in that is not committed is no entry', async () => {
    const { user } = await newTenant(kit.deps);
    const write: RecordStore['write'] = (work, options) =>
      record.write(async (db) => {
        await work(db);
        throw new Error('the commit failed');
      }, options);
    const auth = createAuth({ ...kit.deps, record: { ...record, write } });
    const before = await ofAction('auth.login');
    const attempt = auth.login({ email: user.email, password: testPassword }, originAt('a'));
    await expect(attempt).rejects.toThrow('the commit failed');
    expect(await ofAction('auth.login')).toEqual(before);
  });

  test('an entry outlives its workspace, and names are kept as they were', async () => {
    const { workspace, project, call } = await newTenant(kit.deps);
    const key = await call.apiKeys.create({ name: 'Shop', projectId: project.id });
    const target = { kind: 'workspace', id: workspace.id, name: workspace.name } as const;
    await record.write((db) =>
      writeAuditEntry(
        db,
        act({ action: 'by key', actor: { kind: 'key', id: key.id }, workspaceId: workspace.id, target }),
      ),
    );
    await record.write((db) => db.delete(workspaces).where(eq(workspaces.id, workspace.id)));
    expect(await ofAction('by key')).toMatchObject([
      { workspaceId: workspace.id, actorName: 'Shop', targetName: workspace.name },
    ]);
  });

  test('what was changed is written whatever its characters are, and cut where it is long', async () => {
    const after = { filter_by: 'a\u0000b\ud800', long: 'x'.repeat(10_000), fields: Array(2_000).fill(1) };
    const long = { ...from, userAgent: 'u'.repeat(5_000), address: 'a'.repeat(5_000) };
    await record.write((db) => writeAuditEntry(db, act({ action: 'odd', after, from: long })));
    const [entry] = await ofAction('odd');
    expect(entry?.after).toEqual({
      filter_by: 'a\ufffdb\ufffd',
      long: `${'x'.repeat(1_999)}…`,
      fields: '4001 characters',
    });
    expect(entry?.userAgent).toHaveLength(300);
    expect(entry?.address).toHaveLength(100);
    const exact = { ...from, userAgent: 'u'.repeat(300), address: 'a'.repeat(100) };
    await record.write((db) => writeAuditEntry(db, act({ action: 'exact', from: exact })));
    expect(await ofAction('exact')).toMatchObject([{ userAgent: exact.userAgent, address: exact.address }]);
  });

  test('a key that somebody took for a name is not written', async () => {
    const key = makeApiKey();
    const target = { kind: 'project', id: 1, name: `shop ${key}` } as const;
    await record.write((db) => writeAuditEntry(db, act({ action: 'named', target, after: { name: key } })));
    const entries = await ofAction('named');
    expect(entries).toMatchObject([{ targetName: expect.stringMatching(/^shop ./) }]);
    expect(JSON.stringify(entries)).not.toContain(key);
  });
});
