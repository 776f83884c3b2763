import { expect, test } from 'vitest';
import { RememberedQueries } from './remembered-queries.ts';

/** Queries that were asked for, by their texts. */
function remember(dimension = 8) {
  const asked: string[] = [];
  const queries = new RememberedQueries(async ({ text }) => {
    asked.push(text);
    return new Float32Array(dimension);
  });
  return { asked, embed: (owner: string, text: string) => queries.embed({ text, dimension, owner }) };
}

test('a query of one account is asked for once, also by several at once', async () => {
  const { asked, embed } = remember();
  const [one, two] = await Promise.all([embed('account:1', 'q'), embed('account:1', 'q')]);
  expect(two).toBe(one);
  expect(await embed('account:1', 'q')).toBe(one);
  expect(asked).toEqual(['q']);
});

test('what one account searched for is asked for again for another one', async () => {
  const { asked, embed } = remember();
  await embed('account:1', 'q');
  await embed('account:2', 'q');
  expect(asked).toEqual(['q', 'q']);
  await Promise.all([embed('account:1', 'r'), embed('account:2', 'r')]);
  expect(asked).toHaveLength(4);
});

test('whoever searches for many texts pushes out the own ones, and nobody else’s', async () => {
  const { asked, embed } = remember(4_096);
  await embed('account:1', 'q');
  for (let i = 0; i < 2_000; i += 1) await embed('account:2', `text ${i}`);
  asked.length = 0;
  await embed('account:1', 'q');
  expect(asked).toEqual([]);
  await embed('account:2', 'text 0');
  expect(asked).toEqual(['text 0']);
});
