import { expect, test } from 'vitest';
import { nearestSentences } from './nearest-sentences.ts';

const collection = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 384,
  metric: 'cosine',
  metadata: null,
  rulesVersion: 0,
} as const;
const short = Array.from({ length: 200 }, (_, i) => `No ${i}.`);
const telling = 'This one sentence says at length what the others do not say.';
const text = [...short, telling, 'Robots.', ...short].join(' ');
const source = JSON.stringify({ id: 'a', text });
const passage = { field: 'text', start: 0, end: text.length };

/** Near to the query are texts that hold `ot`. */
function world() {
  const embedded: string[] = [];
  const parts = {
    indexes: {
      recorded: async (_: unknown, ids: string[]) =>
        ids.map((id) => ({ id, version: 1, source, hasOwnVector: false })),
    },
    embedder: {
      embedQuery: async (of: string) => {
        embedded.push(of);
        return Float32Array.of(of.includes('ot') ? 1 : 0);
      },
    },
  };
  return { embedded, parts };
}

test('of a passage of hundreds of sentences those are compared that hold words of the query, and the longest', async () => {
  const { embedded, parts } = world();
  const asked = { collection, query: 'robots', hits: [{ id: 'a', passage }] };
  const signal = new AbortController().signal;
  const [found] = await nearestSentences(parts, asked, { signal, hold: () => {} });
  expect(embedded).toHaveLength(1 + 80);
  expect(embedded).toContain(telling);
  expect(embedded).toContain('Robots.');
  expect(found).toMatchObject({ id: 'a', start: text.indexOf('Robots.'), text: 'Robots.' });
});

test('a document that is named twice is read once', async () => {
  const { embedded, parts } = world();
  const last = { ...passage, start: text.indexOf(telling), end: text.indexOf(telling) + telling.length };
  const hits = [
    { id: 'a', passage },
    { id: 'a', passage: last },
  ];
  const found = await nearestSentences(
    parts,
    { collection, query: 'robots', hits },
    { signal: new AbortController().signal, hold: () => {} },
  );
  expect(found.map((each) => each.text)).toEqual([telling]);
  expect(embedded).toEqual(['robots', telling]);
});

test('who goes away ends it between two sentences', async () => {
  const { embedded, parts } = world();
  const away = new AbortController();
  const { embedQuery } = parts.embedder;
  parts.embedder.embedQuery = (of) => {
    if (embedded.length === 10) away.abort(new Error('gone'));
    return embedQuery(of);
  };
  const asked = { collection, query: 'robots', hits: [{ id: 'a', passage }] };
  await expect(nearestSentences(parts, asked, { signal: away.signal, hold: () => {} })).rejects.toThrow(
    'gone',
  );
  expect(embedded).toHaveLength(11);
});
