import { afterAll, beforeAll, expect, test } from 'vitest';
import { isStreamed } from '#server/rpc/procedures.ts';
import type { MultiSearchAnswer } from '#shared/search.ts';
import { call } from './callers.ts';
import { operations, type Target } from './isolation/operations.ts';
import { Targets } from './isolation/targets.ts';
import { restRoutes, trpcRoutes } from './isolation/transports.ts';
import { type CallerName, type Callers, makeTenants } from './isolation/world.ts';
import { type Kit, startKit } from './kit.ts';
import { statementsOf } from './statements.ts';

/**
 * After each procedure that changes anything, what is known of callers and collections is what the record says: every question is answered
 * from memory as it is after all memory was cleared. A new mutation is in this test by being in the router.
 */

const mutations = [
  ...trpcRoutes.filter(({ procedure }) => !isStreamed(procedure.name)),
  ...restRoutes.filter(({ procedure }) => isStreamed(procedure.name)),
].filter(({ procedure }) => procedure.type === 'mutation');
const askers: CallerName[] = [
  'the owner',
  "the project's key",
  'a key limited to another collection',
  'a revoked key',
];

let kit: Kit;
let targets: Targets;
let serial = 0;
const changed = new Set<string>();
beforeAll(async () => {
  const now = new Date();
  kit = await startKit({ clock: () => now });
  targets = new Targets(kit.deps, await makeTenants(kit.deps));
});
afterAll(() => kit.close());

/** What each caller gets for each name a collection has, had, or is given by the mutations. */
async function answers(callers: Callers, target: Target): Promise<string[]> {
  const names = ['Films', target.collection, 'Other', `Taken over ${serial}`, `Planted ${serial}`];
  names.push(target.alias, `planted-${serial}`);
  const searches = names.map((collection) => ({ collection, query: 'metropolis', per_page: 0 }));
  const found: string[] = [];
  for (const asker of askers) {
    const { status, body } = await call<MultiSearchAnswer>(kit, {
      method: 'POST',
      path: '/api/multi-search',
      body: { searches },
      as: callers(asker),
    });
    if (status === 200)
      body.results.forEach((result, i) => {
        const said = 'error' in result ? result.error.message : result.found;
        found.push(`${asker}, ${names[i]}: ${said}`);
      });
    else found.push(`${asker}: ${status}`);
    const path = `/api/collections/${encodeURIComponent(target.collection)}/documents/1`;
    const alone = await call<Record<string, unknown>>(kit, { method: 'GET', path, as: callers(asker) });
    found.push(`${asker}, alone: ${alone.status} ${alone.body['message'] ?? ''}`);
  }
  return found;
}

test.each(mutations.map((route) => [route.procedure.name, route] as const))('%s', async (name, route) => {
  const operation = operations[name];
  const { target, callers } = await targets.whole(operation, askers);
  serial += 1;
  const before = await answers(callers, target);
  const request = route.request(operation, target, serial);
  const { status } = await call(kit, { ...request, as: callers('the owner') });
  expect(status).toBe(200);
  const known = await answers(callers, target);
  for (const memory of Object.values(kit.deps.known)) memory.clear();
  expect(known).toEqual(await answers(callers, target));
  if (before.join() !== known.join()) changed.add(name);
});

test('the answers came from memory, and the mutations did change them', async () => {
  const { target, callers } = await targets.fresh({}, askers);
  const ask = () =>
    call(kit, {
      method: 'GET',
      path: `/api/collections/${target.collection}/documents/1`,
      as: callers('the owner'),
    });
  await ask();
  await expect.poll(() => statementsOf(kit.deps.record, ask)).toEqual([]);
  expect([...changed]).toEqual(
    expect.arrayContaining([
      'auth.logout',
      'workspaces.delete',
      'workspaces.restore',
      'projects.delete',
      'projects.restore',
      'apiKeys.update',
      'apiKeys.delete',
      'apiKeys.restore',
      'collections.create',
      'collections.update',
      'collections.delete',
      'collections.restore',
      'aliases.put',
      'aliases.delete',
    ]),
  );
});
