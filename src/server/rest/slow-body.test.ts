import { afterAll, beforeAll, expect, test } from 'vitest';
import { origin, type SignedUp, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { catalogue } from './catalogue.ts';

let kit: Kit;
let owner: SignedUp;
beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
});
afterAll(() => kit.close());

/**
 * While a body is awaited no transaction is open: a sender may take a minute for its body, and a connection that waits with it would be
 * missing to everybody else.
 */
const withBody = catalogue.filter(({ body }) => body !== 'none');

test.each(withBody.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
  let fail = (_: Error) => {};
  let isAwaited = () => {};
  const awaited = new Promise<void>((resolve) => {
    isAwaited = resolve;
  });
  const body = new ReadableStream(
    {
      start(controller) {
        fail = (error) => controller.error(error);
      },
      // Called when the server reads; it never gets anything.
      pull: () => isAwaited(),
    },
    { highWaterMark: 0 },
  );
  const headers = { cookie: owner.as.cookie, origin, host: 'localhost', 'content-type': 'application/json' };
  const init = { method: operation.method, headers, body, duplex: 'half' };
  const path = operation.path.replaceAll(/\{\w+\}/g, '1');
  const answer = kit.app.request(`${origin}${path}`, init as RequestInit);
  await awaited;
  const { sql } = kit.deps.record;
  const [row] = await sql<{ open: number }[]>`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  expect(row?.open).toBe(0);
  fail(new Error('the sender is gone'));
  expect((await answer).status).toBe(400);
});
