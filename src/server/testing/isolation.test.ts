import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isQuery, procedures } from '#server/rpc/procedures.ts';
import type { MergedSearchAnswer } from '#shared/search.ts';
import { type Answer, call } from './callers.ts';
import { oldest } from './databases.ts';
import { digestRecord } from './dump.ts';
import { badKeys, expectationFor } from './isolation/expectation.ts';
import { operations, type Target } from './isolation/operations.ts';
import { roleOf } from './isolation/role-callers.ts';
import { Targets } from './isolation/targets.ts';
import { type Route, restRoutes, trpcRoutes } from './isolation/transports.ts';
import {
  type CallerName,
  type Callers,
  callersOf,
  makeTarget,
  makeTenants,
  type Tenants,
  unknownTarget,
} from './isolation/world.ts';
import { type Kit, startKit } from './kit.ts';

/**
 * Who may do what to whose things, over REST and over tRPC: every procedure of the router and every operation of the REST API, by every
 * kind of caller. What is somebody else's is answered like what is not there, byte for byte, and trying changes nothing.
 */

test('every procedure has a row that says what it is about', () => {
  expect(trpcRoutes.length).toBeGreaterThan(40);
  expect(restRoutes.length).toBeGreaterThan(40);
  expect([...procedures.keys()].sort()).toEqual(Object.keys(operations).sort());
});

/** Access is read from the procedures themselves, so one that is opened by mistake would pass as meant to be. */
test('each procedure is open to whom its row says', () => {
  const opened = { public: 'anybody', session: undefined, read: 'keys that read', write: 'keys that write' };
  const told = [...procedures.values()].map(({ name, access }) => `${name}: ${opened[access]}`);
  expect(told).toEqual([...procedures.keys()].map((name) => `${name}: ${operations[name].openTo}`));
});

const sorts: CallerName[] = [
  'nobody',
  'a read-only key',
  "another tenant's session",
  'the owner',
  "the project's key",
  'a viewer',
];

/** Over the other way there is nothing to call, or nothing that reaches the database. */
const hasOneWay = ({ procedure }: Route) => procedure.rest === null || procedure.rest.stream !== undefined;

/**
 * The embedded database as `npm start` has it, and the oldest server there is: between them every procedure's SQL is run on both versions.
 * Both ways into a procedure end in the same SQL, so a version has one of them.
 */
const kinds = [
  ['embedded', [...restRoutes, ...trpcRoutes.filter(hasOneWay)], hasOneBadKey],
  [oldest, [...trpcRoutes, ...restRoutes.filter(hasOneWay)], isOfEachSort],
] as const;

// Of each route `npm run test:long` sends all callers both ways.
const isLong = process.env['LONG_TESTS'] !== undefined;

/** Whoever has a bad key is refused before anything is asked: of four sorts of them each route has another one. */
function hasOneBadKey(caller: CallerName, nth: number): boolean {
  return isLong || !badKeys.includes(caller) || caller === badKeys[nth % badKeys.length];
}

/** By the second way into the same procedures, one of each sort of caller. */
function isOfEachSort(caller: CallerName): boolean {
  return isLong || sorts.includes(caller);
}

describe.each(kinds)('isolation on the %s database', (database, routes, isAsked) => {
  let kit: Kit;
  let tenants: Tenants;
  let targets: Targets;
  let serial = 0;
  /** The record as the last test left it, with so many targets in it; null when something was written since. */
  let known: { digest: Record<string, string>; made: number } | null = null;
  beforeAll(async () => {
    // Nothing is purged in between, so that the record changes by what callers do and by nothing else.
    kit = await startKit({ database, settings: { purgeAfterMs: 24 * 60 * 60_000 } });
    tenants = await makeTenants(kit.deps);
    targets = new Targets(kit.deps, tenants);
  });
  afterAll(() => kit.close());

  test.each(routes.map((route, nth) => [route.title, route, nth] as const))('%s', async (_, route, nth) => {
    const operation = operations[route.procedure.name];
    const asked = callersOf(operation).filter((caller) => isAsked(caller, nth));
    const untouched = await targets.untouched(operation, asked);
    const { target, callers } = untouched;
    const ask = (caller: CallerName, whose: Target, as: Callers = callers) =>
      call<unknown>(kit, { ...route.request(operation, whose, ++serial), as: as(caller) });

    const expected = (caller: CallerName) => expectationFor(route, operation, caller);
    const changes = (caller: CallerName) => expected(caller) === 'done' && !isQuery(route.procedure.name);
    const before = known?.made === targets.made ? known.digest : await digest(kit);
    for (const caller of asked.filter((name) => !changes(name))) {
      const answer = await ask(caller, target);
      expectAnswer(answer, { route, caller, expected: expected(caller) });
      const isOwn =
        roleOf(caller) !== null ||
        (caller === 'a key limited to another collection' && operation.limitedKey !== undefined);
      if (operation.names === 'nothing' || expected(caller) === 'done' || isOwn) continue;
      const unknown = await ask(caller, unknownTarget(target));
      expect(withoutRequestId(answer), `${caller}: foreign and unknown ids`).toBe(withoutRequestId(unknown));
    }
    const after = await digest(kit);
    expect(after, 'the record after all who may not change it').toEqual(before);
    known = { digest: after, made: targets.made };

    for (const caller of asked.filter(changes)) {
      known = null;
      // Accounts that only this operation has are as they were until here.
      const isThere = operation.endsSession && !operation.usesUp;
      const own = isThere ? untouched : await targets.forChange(operation, [caller]);
      const answer = await ask(caller, own.target, own.callers);
      expectAnswer(answer, { route, caller, expected: 'done' });
    }
  });

  test('lists hold one’s own and nothing else', async () => {
    const { target, callers } = await makeTarget(kit.deps, tenants);
    const stranger = callers("another tenant's session");
    for (const [path, foreignId] of [
      ['/api/workspaces', target.workspaceId],
      ['/api/projects', target.projectId],
      ['/api/collections', target.collectionId],
    ] as const) {
      const { body } = await call<{ id: number }[]>(kit, { method: 'GET', path, as: stranger });
      expect(body.length, path).toBeGreaterThan(0);
      expect(
        body.map(({ id }) => id),
        path,
      ).not.toContain(foreignId);
    }
    const listed = async (caller: CallerName) => {
      const answer = await call<{ name: string }[]>(kit, {
        method: 'GET',
        path: '/api/collections',
        as: callers(caller),
      });
      return answer.body.map(({ name }) => name);
    };
    expect(await listed("the project's key")).toEqual(['Films', 'Other']);
    expect(await listed('a key limited to another collection')).toEqual(['Other']);
    expect(await listed("another tenant's key")).toEqual(['Theirs']);
    const activity = await call<unknown>(kit, {
      method: 'GET',
      path: '/api/dashboard/recent-activity?limit=100',
      as: stranger,
    });
    expect(JSON.stringify(activity.body)).not.toContain('Films');
  });

  test('a merged search ranks what is the caller’s own and nothing else', async () => {
    const { target, callers } = await makeTarget(kit.deps, tenants);
    const merged = async (caller: CallerName, given: object) => {
      const body = { searches: [{ query: '*', ...given }], merge: {} };
      const as = callers(caller);
      return await call<MergedSearchAnswer>(kit, { method: 'POST', path: '/api/multi-search', body, as });
    };
    const searched = async (caller: CallerName, given: object) => {
      const { status, body } = await merged(caller, given);
      expect(status, caller).toBe(200);
      const of = body.collection_counts.map(({ collection }) => collection.name);
      return { of: of.sort(), hits: body.hits.length, failed: body.failures.map(({ error }) => error.code) };
    };
    const one = { collections: [target.collection] };
    expect(await searched("the project's key", { collections: '*' })).toEqual({
      of: ['Films', 'Other'],
      hits: 2,
      failed: [],
    });
    expect(await searched("the project's key", one)).toEqual({ of: ['Films'], hits: 2, failed: [] });
    for (const [caller, own] of [
      ['a key limited to another collection', ['Other']],
      ["another project's key", []],
      ["another tenant's key", ['Theirs']],
      ["another tenant's session", ['Theirs']],
    ] as const) {
      expect(await searched(caller, { collections: '*' }), caller).toEqual({ of: own, hits: 0, failed: [] });
      expect(await searched(caller, one), caller).toEqual({ of: [], hits: 0, failed: ['NOT_FOUND'] });
    }
    expect((await merged('a write-only key', one)).status).toBe(403);
    expect((await merged('nobody', one)).status).toBe(401);
  });

  test('a key that is present decides, whatever the cookie', async () => {
    const { callers } = await makeTarget(kit.deps, tenants);
    const owner = callers('the owner');
    for (const caller of ['a malformed key', 'a revoked key'] as const) {
      const key = callers(caller);
      const headers = { 'x-api-key': key && 'key' in key ? key.key : '' };
      const answer = await call(kit, { method: 'GET', path: '/api/collections', as: owner, headers });
      expect(answer.status, caller).toBe(401);
    }
  });
});

function expectAnswer(
  answer: Answer<unknown>,
  {
    route,
    caller,
    expected,
  }: { route: Route; caller: CallerName; expected: ReturnType<typeof expectationFor> },
): void {
  const about = `${route.title} by ${caller}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
  if (route.statuses !== null)
    expect(route.statuses, `${about}: a documented status`).toContain(answer.status);
  if (typeof expected === 'number') {
    expect(answer.status, about).toBe(expected);
    return;
  }
  expect(answer.status, about).toBeLessThan(300);
  if (expected !== 'in place') return;
  const { results } = (route.transport === 'tRPC' ? unwrap(answer.body) : answer.body) as {
    results: { error?: { code: string } }[];
  };
  expect(
    results.map((result) => result.error?.code),
    about,
  ).toEqual(['NOT_FOUND']);
}

function unwrap(body: unknown): unknown {
  return (body as { result: { data: unknown } }).result.data;
}

function withoutRequestId(answer: Answer<unknown>): string {
  return `${answer.status} ${JSON.stringify(answer.body).replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')}`;
}

/** Of all that a caller could have changed, with what is written later. */
async function digest({ deps }: Kit): Promise<Record<string, string>> {
  await deps.searchLog.flush();
  return await digestRecord(deps.record);
}
