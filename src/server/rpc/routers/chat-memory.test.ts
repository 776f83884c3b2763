import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

test('what questions are suggested from counts among the answers in memory, as what they are answered from', async () => {
  const { key } = await createTenant(kit, { name: 'films' });
  const title = 'Solaris';
  const text = `${title} was directed by Andrei Tarkovsky. ${'They met and adjourned. '.repeat(40_000)}`;
  const documents = { method: 'POST', path: '/api/collections/films/documents', as: key };
  await must(call(kit, { ...documents, body: { id: 'a', title, text, director: 'Andrei Tarkovsky' } }));
  const input = encodeURIComponent(JSON.stringify({ collection: 'films' }));
  const suggest = () => call(kit, { method: 'GET', path: `/trpc/chat.suggestions?input=${input}`, as: key });
  const { answers } = kit.deps.memory;
  // Each takes half of what is left, which comes to 256 KB.
  const others = Array.from({ length: 9 }, (_, i) => answers.hold(`others ${i}`));
  for (const held of others) held.raiseUpTo(Number.MAX_SAFE_INTEGER);
  expect((await suggest()).status).toBe(503);
  for (const held of others) held.release();
  expect((await suggest()).status).toBe(200);
  expect(answers.heldBytes).toBe(0);
});
