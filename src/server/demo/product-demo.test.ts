import { beforeAll, describe, expect, it } from 'vitest';
import type { Requester } from '#server/admission/requester.ts';
import { createEmbedder } from '#server/embeddings/create-embedder.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { EngineBusyError } from '#server/indexes/host/call-errors.ts';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLog } from '#server/log.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import { createProductDemo, type ProductDemo } from './product-demo.ts';
import { products } from './products.ts';

let demo: ProductDemo;
let embedder: Embedder;
const engine = watchedHost();
const here = { address: 'here' };
beforeAll(async () => {
  embedder = await createEmbedder({ modelsDir: 'models', log: createLog('silent') });
  demo = createProductDemo({ embedder, host: engine.host, searchesPerMinute: 10_000 });
  return () => embedder.stop();
});

const names = async (query: string) => (await demo.search(query, here)).hits.map(({ name }) => name);

describe('the catalogue', () => {
  it('gives each product its own id', () => {
    expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
    expect(products.length).toBeGreaterThanOrEqual(60);
  });
});

describe('product search', () => {
  it('finds what is meant, in other words than the catalogue uses', async () => {
    expect(await names('my back hurts at work')).toContain('Atlas Standing Desk');
    expect(await names('gift for a coffee lover')).toContain('Drip Pour-Over Set');
  });

  it('finds words with typos in them', async () => {
    expect((await names('cofee grindr'))[0]).toBe('Whirl Burr Grinder');
  });

  it.each([
    'qqqxyz',
    'asdf',
    'zzz',
    'vegan',
    'car insurance',
    'mortgage rates',
    'president of france',
    'divorce lawyer',
  ])('has nothing for "%s": the best of what does not fit is no answer', async (query) =>
    expect((await demo.search(query, here)).hits).toEqual([]),
  );

  it.each([
    'something to keep me warm',
    'cadeau pour amateur de café',
    'loud neighbours',
    'I cannot sleep',
    'fit',
  ])('has something for "%s"', async (query) =>
    expect((await demo.search(query, here)).hits.length).toBeGreaterThan(0),
  );

  it('says what words and meaning add to each score', async () => {
    const { hits } = await demo.search('warm coat', here);
    for (const { score, parts } of hits) expect(parts.words + parts.meaning).toBeCloseTo(score, 6);
    expect(hits.some(({ parts }) => parts.words > 0 && parts.meaning > 0)).toBe(true);
  });

  it('answers two hits, the better one first, and marks the words', async () => {
    const { hits } = await demo.search('headphones', here);
    expect(hits).toHaveLength(2);
    expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? Number.NaN);
    expect(hits[0]?.highlights.map(({ snippet }) => snippet).join()).toContain('<mark>');
  });

  it('has nothing for nothing', async () => {
    expect((await demo.search('   ', here)).hits).toEqual([]);
  });

  it('answers the same question alike, however it is written', async () => {
    const { hits } = await demo.search('  Warm   COAT ', here);
    expect(hits).toEqual((await demo.search('warm coat', here)).hits);
  });
});

describe('a comparison', () => {
  const compare = (query: string, alpha: number) => demo.compare({ query, alpha }, here);
  const ids = (places: { id: string }[]) => places.map(({ id }) => id);

  it('shows three orders of the same shop, and which products answer the question', async () => {
    const { columns } = await compare('my back hurts at work', 0.5);
    expect(columns.vector.map(({ name }) => name)).toContain('Atlas Standing Desk');
    expect(columns.vector.find(({ name }) => name === 'Atlas Standing Desk')?.fits).toBe(true);
    expect(columns.keyword[0]?.name).not.toBe(columns.vector[0]?.name);
    for (const places of Object.values(columns)) expect(new Set(ids(places)).size).toBe(places.length);
  });

  it('is by words alone at 0 and by meaning alone at 1', async () => {
    const byWords = await compare('lamp', 0);
    const { keyword, hybrid } = byWords.columns;
    expect(ids(hybrid).slice(0, keyword.length)).toEqual(ids(keyword));
    const byMeaning = await compare('lamp', 1);
    expect(ids(byMeaning.columns.hybrid)).toEqual(ids(byMeaning.columns.vector));
  });

  it('says of each product found for a question that nothing answers that it does not fit', async () => {
    const { columns } = await compare('mortgage rates', 0.5);
    expect(columns.vector.length).toBe(5);
    expect(
      Object.values(columns)
        .flat()
        .some(({ fits }) => fits),
    ).toBe(false);
  });

  it('has nothing for nothing', async () => {
    expect((await compare('  ', 0.5)).columns).toEqual({ keyword: [], hybrid: [], vector: [] });
  });

  it('counts as one search of its address', async () => {
    const { host } = watchedHost();
    // Two at once.
    const another = createProductDemo({ embedder, host, searchesPerMinute: 4, now: () => 0 });
    const asked = { query: 'lamp', alpha: 0.5 };
    await another.compare(asked, { address: 'a' });
    await another.compare(asked, { address: 'a' });
    const third = another.compare(asked, { address: 'a' });
    await expect(third).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });
});

describe('who asks', () => {
  it('waits for turns as one tenant, whoever it is', async () => {
    const asked: Requester[] = [];
    const { host } = watchedHost();
    const noting: EngineHost = {
      ...host,
      call: (collection, request, signal) => {
        asked.push(collection.for);
        return host.call(collection, request, signal);
      },
    };
    const another = createProductDemo({ embedder, host: noting, searchesPerMinute: 60 });
    await another.search('lamp', { address: 'a' });
    await another.search('sofa', { address: 'b' });
    expect(new Set(asked.map(({ tenant }) => tenant))).toEqual(new Set(['demo']));
    expect(asked.slice(-2).map(({ caller }) => caller)).toEqual(['a', 'b']);
    for (const { weight } of asked) expect(weight).toBeLessThan(1);
  });

  it('may ask so often from one address, and the same question costs no search', async () => {
    const { host, calls } = watchedHost();
    // Two at once, and one more in 15 s.
    const another = createProductDemo({ embedder, host, searchesPerMinute: 4, now: () => 0 });
    const search = (address: string) => another.search('lamp', { address });
    await search('a');
    const before = calls.length;
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => search('a')));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(29);
    expect(refused[0]).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 15 } });
    await search('b');
    expect(calls.length).toBe(before);
  });

  it('is charged for a batch by its first call, and all of it is refused or none', async () => {
    const { host } = watchedHost();
    // Two at once.
    const another = createProductDemo({ embedder, host, searchesPerMinute: 4, now: () => 0 });
    const batch = async (calls: number) => {
      const request = { calls, signal: new AbortController().signal };
      const asked = Array.from({ length: calls }, () => another.search('lamp', { address: 'a', request }));
      return (await Promise.allSettled(asked)).map(({ status }) => status);
    };
    expect(await batch(1)).toEqual(['fulfilled']);
    expect(another.findRejection('a', 2)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(await batch(2)).toEqual(['rejected', 'rejected']);
    expect(await batch(1)).toEqual(['fulfilled']);
    expect(another.findRejection('a', 1)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  it('is told to come again when the engine had no time for the search', async () => {
    const { host } = watchedHost((name) => {
      if (name === 'search') throw new EngineBusyError();
    });
    const another = createProductDemo({ embedder, host, searchesPerMinute: 20 });
    await expect(another.search('lamp', here)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 2,
    });
  });

  it('is answered after the thread with the catalogue has ended', async () => {
    const before = await demo.search('tent', here);
    engine.loseIndexes();
    expect((await demo.search('tents', here)).hits).toHaveLength(before.hits.length);
  });
});
