import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, type Telemetry } from '#server/telemetry/telemetry.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

// Counts that are being written wait for the row of their key. Whoever held it and waited for them would wait until the statement is given up.
test('a key whose counts are being written can be changed, and says how many requests it had', async () => {
  const { principal, project, workspace } = await newTenant(kit.deps);
  const { telemetry } = kit.deps;
  const plain = callAs(kit.deps, principal);
  const { id } = await plain.apiKeys.create({ name: 'Shop', projectId: project.id });
  telemetry.countRequest({ workspaceId: workspace.id, projectId: project.id, keyId: id });
  let asked = 0;
  const timer = new AsyncResource('timer');
  /** Begins to write counts just when they are asked for, as a timer may. */
  const written: Telemetry = {
    ...telemetry,
    requestsOfKeys: async (db, keyIds, since) => {
      asked += 1;
      telemetry.countRequest({ workspaceId: workspace.id, projectId: project.id, keyId: id });
      const flushed = timer.runInAsyncScope(() => telemetry.flush());
      const found = await telemetry.requestsOfKeys(db, keyIds, since);
      await flushed;
      expect(since.getTime() % hourMs).toBe(0);
      return found;
    },
  };
  const call = callAs({ ...kit.deps, telemetry: written }, principal);
  const rotated = await call.apiKeys.rotate({ id, graceHours: 2 });
  expect(rotated.requestsLast24h).toBeGreaterThan(0);
  await call.apiKeys.update({ id, former: null });
  await call.apiKeys.delete({ id });
  await call.apiKeys.restore({ id });
  await call.apiKeys.reveal({ id });
  expect(asked).toBe(5);
});
