import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { isStreamed, procedures } from '#server/rpc/procedures.ts';
import { call } from './callers.ts';
import { digestRecord } from './dump.ts';
import { operations, type Target } from './isolation/operations.ts';
import { Targets } from './isolation/targets.ts';
import { type Route, restRoutes, trpcRoutes } from './isolation/transports.ts';
import { type Callers, makeTenants, type Tenants } from './isolation/world.ts';
import { type Kit, startKit } from './kit.ts';

/**
 * Each procedure that changes anything leaves one audit entry, or none where nothing was changed. A new mutation is in this test by being
 * in the router.
 */

/**
 * Documents one by one are an application's traffic, not administration; each bears the collection's version that wrote it. So are questions and clicks. A forgotten
 * password is looked at after the answer, and its row is nobody's.
 */
const unaudited = [
  'documents.write',
  'documents.replace',
  'documents.merge',
  'documents.delete',
  'chat.ask',
  'analytics.recordEvent',
  'auth.forgotPassword',
];
/** Changes nothing, but takes everything away. */
const auditedReads = ['documents.export'];
/** In several transactions, or in none: the entry comes before the first effect. */
const inSteps = [
  'documents.import',
  'documents.deleteMany',
  'documents.mergeMany',
  'documents.export',
  'webhooks.test',
];
/** Writes its entry and nothing else, so there is nothing else to fail. */
const entryOnly = ['apiKeys.reveal', 'collections.repair', 'imports.cancel'];

const routes = [
  ...trpcRoutes.filter(({ procedure }) => !isStreamed(procedure.name)),
  ...restRoutes.filter(({ procedure }) => isStreamed(procedure.name)),
].filter(({ procedure: { type, name } }) => type === 'mutation' || auditedReads.includes(name));
const audited = routes.filter(({ procedure }) => !unaudited.includes(procedure.name));

/** Accounts belong to no workspace. */
const outsideWorkspaces = /^(auth|account|sessions|secondFactor)\./;

let kit: Kit;
let tenants: Tenants;
let targets: Targets;
let serial = 0;
beforeAll(async () => {
  kit = await startKit({ settings: { purgeAfterMs: 24 * 60 * 60_000 } });
  tenants = await makeTenants(kit.deps);
  targets = new Targets(kit.deps, tenants);
  await makeCommitsRefusable();
});
afterAll(() => kit.close());

/** While `aside.refusing` names `audit` or `act`, a transaction that wrote such a row fails at its commit. */
async function makeCommitsRefusable(): Promise<void> {
  const { sql } = kit.deps.record;
  await sql`create schema aside`;
  await sql`create table aside.refusing (what text)`;
  await sql`create function aside.refuse() returns trigger language plpgsql as $$ begin
    if exists (select from aside.refusing where what = tg_argv[0]) then raise 'no commit today'; end if;
    return null;
  end $$`;
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    const what = name === 'audit_entries' ? 'audit' : 'act';
    await sql.unsafe(`create constraint trigger refuse after insert or update or delete on ${name}
      deferrable initially deferred for each row execute function aside.refuse('${what}')`);
  }
}

async function refusing<T>(what: 'audit' | 'act', task: () => Promise<T>): Promise<T> {
  const { sql } = kit.deps.record;
  await sql`insert into aside.refusing values (${what})`;
  try {
    return await task();
  } finally {
    await sql`delete from aside.refusing`;
  }
}

async function ask(route: Route, target: Target, callers: Callers) {
  const request = route.request(operations[route.procedure.name], target, ++serial);
  const { status, headers } = await call(kit, { ...request, as: callers('the owner') });
  const requestId = headers.get('x-request-id') ?? '';
  const { db } = kit.deps.record;
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.requestId, requestId));
  return { status, entries };
}

const digest = () => digestRecord(kit.deps.record);

test('the lists above name procedures', () => {
  const names = [...procedures.keys()] as string[];
  expect(names).toEqual(expect.arrayContaining([...unaudited, ...auditedReads, ...inSteps, ...entryOnly]));
  expect(audited.length).toBeGreaterThan(20);
});

describe.each(audited.map((route) => [route.procedure.name, route] as const))('%s', (name, route) => {
  test('is one entry, and none without it', async () => {
    const { target, callers } = await targets.forChange(operations[name], ['the owner']);
    const before = await digest();

    const unwritten = await refusing('audit', () => ask(route, target, callers));
    expect(unwritten.status, 'without its entry').toBe(500);
    expect(await digest(), 'without its entry').toEqual(before);

    // Of what writes nothing else there is nothing to roll back, and a second one would be counted with the first.
    const isRead = auditedReads.includes(name);
    const rolledBack = isRead ? null : await refusing('act', () => ask(route, target, callers));
    if (rolledBack && ![...inSteps, ...entryOnly].includes(name)) {
      expect(rolledBack.status, 'rolled back').toBe(500);
      expect(rolledBack.entries, 'rolled back').toEqual([]);
      expect(await digest(), 'rolled back').toEqual(before);
    }

    const { status, entries } = await ask(route, target, callers);
    expect(status).toBe(200);
    expect(entries).toHaveLength(1);
    const isOutside = outsideWorkspaces.test(name);
    expect(entries[0]).toMatchObject({
      action: name === 'apiKeys.update' ? 'apiKeys.revoke' : name,
      outcome: 'done',
      times: 1,
      actorKind: 'user',
      address: expect.any(String),
      workspaceId: isOutside ? null : name === 'workspaces.create' ? expect.any(Number) : target.workspaceId,
    });
    // What ends sessions is tried on accounts of its own.
    if (!isOutside) expect(entries[0]?.actorId).toBe(tenants.owner.user.id);
    expect(entries[0]?.actorName).not.toBeNull();
  });
});

test.each(unaudited)('%s is none', async (name) => {
  const route = routes.find(({ procedure }) => procedure.name === name);
  if (!route) throw new Error(`there is no ${name}`);
  const operation = operations[route.procedure.name];
  const { target, callers } = await targets.forChange(operation, ['the owner']);
  const { status, entries } = await ask(route, target, callers);
  expect(status).toBe(200);
  expect(entries).toEqual([]);
});

test('a deletion, a change or an export whose filter is refused is none', async () => {
  const { target } = await targets.untouched(operations['documents.list']);
  const as = tenants.sessions.owner;
  for (const [method, path, body] of [
    ['DELETE', 'documents', undefined],
    ['PATCH', 'documents', { year: 2000 }],
    ['GET', 'documents/export', undefined],
  ] as const) {
    const address = `/api/collections/${target.collection}/${path}?filter_by=${encodeURIComponent('((')}`;
    const { status, headers } = await call(kit, { method, path: address, body, as });
    expect(status).toBe(400);
    const requestId = headers.get('x-request-id') ?? '';
    const found = await kit.deps.record.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.requestId, requestId));
    expect(found).toEqual([]);
  }
});

test('what an update changed is told, as it was and as it is, and nothing else', async () => {
  const { project, call: owner } = tenants.owner;
  await owner.projects.update({ id: project.id, name: project.name, description: 'Shelves' });
  await owner.projects.update({ id: project.id, name: 'Renamed' });
  const { db } = kit.deps.record;
  const told = await db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.targetId, project.id))
    .orderBy(auditEntries.id);
  expect(
    told
      .filter(({ action }) => action === 'projects.update')
      .slice(-2)
      .map(({ before, after, targetName }) => ({ before, after, targetName })),
  ).toEqual([
    { before: { description: null }, after: { description: 'Shelves' }, targetName: project.name },
    { before: { name: project.name }, after: { name: 'Renamed' }, targetName: 'Renamed' },
  ]);
});
