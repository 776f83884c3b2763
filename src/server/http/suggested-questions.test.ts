import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { type ChatAnswer, suggestedQuestionsMax } from '#shared/chat.ts';

/** What the console suggests to ask, of sets that are unlike films. */
let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const tickets = [
  {
    id: 't1',
    subject: 'Login broken',
    body: 'The customer cannot log in since the update of Tuesday. The page stays white.',
  },
  {
    id: 't2',
    subject: 'Invoice wrong',
    body: 'The invoice of March has the wrong address. Accounting asks for a new one.',
  },
  {
    id: 't3',
    subject: 'App slow',
    body: 'The mobile app is slow on old phones. It takes ten seconds to open a list.',
  },
];
const chunks = [
  {
    id: 'c1',
    text: 'how to reset a password: open settings, choose security, press reset and follow what the mail says.',
  },
  { id: 'c2', text: 'refunds are paid within ten days to the card that was used for the order.' },
  {
    id: 'c3',
    text: 'orders can be cancelled until they are sent; afterwards they have to be returned by post.',
  },
];
const german = [
  {
    id: '1',
    titel: 'Faust',
    text: 'Der Gelehrte Faust schliesst einen Pakt mit Mephisto und verliert beinahe seine Seele.',
  },
  {
    id: '2',
    titel: 'Der Prozess',
    text: 'Josef K. wird eines Morgens verhaftet, ohne dass er etwas Böses getan hätte.',
  },
];
const people = [
  { id: '1', name: 'Ada Lovelace', born: 1815, field: 'mathematics', city: 'London' },
  { id: '2', name: 'Alan Turing', born: 1912, field: 'computer science', city: 'London' },
];

async function begin(documents: object[]) {
  const { key } = await createTenant(kit, { name: 'set', dimension: 384 });
  const as = { key: key.key };
  const send = <T>(method: string, path: string, body?: unknown) =>
    must(call<T>(kit, { method, path: `/api/collections/set/${path}`, body, as }));
  await send('POST', 'documents/import', documents);
  const input = encodeURIComponent(JSON.stringify({ collections: ['set'] }));
  const suggest = async () =>
    (
      await must(
        call<{ result: { data: string[] } }>(kit, {
          method: 'GET',
          path: `/trpc/chat.suggestions?input=${input}`,
          as,
        }),
      )
    ).result.data;
  const ask = (message: string) => send<ChatAnswer>('POST', 'chat', { message });
  return { send, suggest, ask };
}

test.each([
  ['tickets', tickets],
  ['parts of a manual', chunks],
  ['books in another language', german],
  ['people', people],
])('four questions are suggested of %s, and its documents answer them', async (_, documents) => {
  const { suggest, ask } = await begin(documents);
  const suggested = await suggest();
  expect(suggested).toHaveLength(suggestedQuestionsMax);
  for (const question of suggested) expect(await ask(question), question).toMatchObject({ answered: true });
});

test('when something happened is asked for and answered in sentences', async () => {
  const { suggest, ask } = await begin(people);
  const asked = (await suggest()).find((question) => /^When was .* born\?$/.test(question)) ?? '';
  expect((await ask(asked)).answer).toMatch(
    /^“Ada Lovelace” was born in 1815\.|^“Alan Turing” was born in 1912\./,
  );
});

test('what is not in the collection any more is not suggested', async () => {
  const { send, suggest } = await begin(people);
  expect((await suggest()).join(' ')).toMatch(/Lovelace|Turing/);
  await send('DELETE', 'documents?filter_by=id:[1, 2]');
  await send('POST', 'documents/import', tickets);
  expect((await suggest()).join(' ')).not.toMatch(/Lovelace|Turing/);
});
