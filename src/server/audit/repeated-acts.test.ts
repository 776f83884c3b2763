import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { type Credentials, call, createKey, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';

/** Who may only read exports as often as they like, and must not fill the audit or the log with it. */

let kit: Kit;
let tenant: Awaited<ReturnType<typeof createTenant>>;
let reader: { id: number; key: string };
let nowMs = new Date('2026-03-01T12:00:00.000Z').getTime();
beforeAll(async () => {
  kit = await startKit({ settings: { trustProxy: true }, clock: () => new Date(nowMs) });
  tenant = await createTenant(kit);
  const { id: projectId } = tenant.project;
  reader = await createKey(kit, tenant.owner, { projectId, permissions: ['read'] });
});
afterAll(() => kit.close());

const exportAll = (as: Credentials, { filter = '', from = '198.51.100.1' } = {}) =>
  must(
    call(kit, {
      method: 'GET',
      path: `/api/collections/things/documents/export${filter && `?filter_by=${filter}`}`,
      as,
      headers: { 'x-forwarded-for': from },
    }),
  );
const entriesOf = (actorId: number) =>
  kit.deps.record.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.action, 'documents.export'), eq(auditEntries.actorId, actorId)))
    .orderBy(auditEntries.id);
const lines = () =>
  kit.logLines
    .map((line) => JSON.parse(line))
    .filter(({ message, action }) => message === 'act' && action === 'documents.export');

test('exports of one key within a minute are one entry, that counts them and says what else was exported', async () => {
  kit.logLines.length = 0;
  for (let i = 0; i < 5; i += 1) await exportAll(reader);
  kit.deps.denials.repeated.flush();
  expect(await entriesOf(reader.id)).toMatchObject([{ times: 5, after: { filter_by: null } }]);
  expect(lines()).toMatchObject([
    { actor: `key ${reader.id}`, requestId: expect.any(String) },
    { actor: `key ${reader.id}`, times: 4 },
  ]);

  for (let i = 0; i < 3; i += 1) await exportAll(reader, { filter: `id:${i}` });
  const after = { filter_by: null, other_filter_by: true };
  expect(await entriesOf(reader.id)).toMatchObject([{ times: 8, after, address: '198.51.100.1' }]);
  await exportAll(reader, { from: '203.0.113.2' });
  expect(await entriesOf(reader.id)).toMatchObject([{ times: 9, after: { ...after, other_address: true } }]);

  const other = await createKey(kit, tenant.owner, { projectId: tenant.project.id });
  await exportAll(other);
  expect(await entriesOf(other.id)).toMatchObject([{ times: 1 }]);

  nowMs += 60_000;
  await exportAll(reader, { filter: 'id:7' });
  expect(await entriesOf(reader.id)).toMatchObject([
    { times: 9 },
    { times: 1, after: { filter_by: 'id:7' } },
  ]);
});
