import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Held } from '#server/admission/byte-shares.ts';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';

/** Calls for the console that read whole documents count among the answers in memory, and those of one request are made one after the other. */

let kit: Kit;
let key: { key: string };
beforeAll(async () => {
  kit = await startKit();
  ({ key } = await createTenant(kit, { name: 'films' }));
  const title = 'Solaris';
  const text = `${title} was directed by Andrei Tarkovsky. ${'They met and adjourned. '.repeat(40_000)}`;
  const documents = { method: 'POST', path: '/api/collections/films/documents', as: key };
  await must(call(kit, { ...documents, body: { id: 'a', title, text, director: 'Andrei Tarkovsky' } }));
});
afterAll(() => kit.close());
afterEach(() => vi.restoreAllMocks());

const inputs = {
  'chat.suggestions': { collection: 'films' },
  'search.sentences': { collection: 'films', query: 'adjourned', hits: [{ id: 'a' }] },
};
const names = Object.keys(inputs) as (keyof typeof inputs)[];

const ask = (name: keyof typeof inputs, times = 1) => {
  const path = `/trpc/${Array.from({ length: times }, () => name).join()}?batch=1`;
  const input = Object.fromEntries(Array.from({ length: times }, (_, i) => [i, inputs[name]]));
  return call<object[]>(kit, {
    method: 'GET',
    path: `${path}&input=${encodeURIComponent(JSON.stringify(input))}`,
    as: key,
  });
};

/** Others leave so much: each takes half of what is left. */
function leave(bytes: number): Held[] {
  const { answers } = kit.deps.memory;
  const others: Held[] = [];
  while (answers.bytesMax - answers.heldBytes > bytes) {
    const held = answers.hold(`others ${others.length}`);
    held.raiseUpTo(answers.bytesMax - answers.heldBytes - bytes);
    others.push(held);
  }
  return others;
}

test.each(names)('%s: what it reads counts among the answers in memory', async (name) => {
  const { answers } = kit.deps.memory;
  const others = leave(256 * 1024);
  expect((await ask(name)).status).toBe(503);
  for (const held of others) held.release();
  expect((await ask(name)).status).toBe(200);
  expect(answers.heldBytes).toBe(0);
});

test.each(names)('%s: of several in one request one is at work, in the room of one', async (name) => {
  const { chat, memory } = kit.deps;
  let atWork = 0;
  let most = 0;
  const counted =
    <Asked extends unknown[], Answer>(asked: (...given: Asked) => Promise<Answer>) =>
    async (...given: Asked) => {
      atWork += 1;
      most = Math.max(most, atWork);
      try {
        return await asked(...given);
      } finally {
        atWork -= 1;
      }
    };
  const { suggest, nearestSentences } = chat;
  vi.spyOn(chat, 'suggest').mockImplementation(counted(suggest));
  vi.spyOn(chat, 'nearestSentences').mockImplementation(counted(nearestSentences));
  // Half of it may be held by one tenant.
  const others = leave(5 * 1024 * 1024);
  const { status } = await ask(name, 4);
  for (const held of others) held.release();
  expect([status, most]).toEqual([200, 1]);
  expect(memory.answers.heldBytes).toBe(0);
});
