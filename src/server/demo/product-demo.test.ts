import { beforeAll, describe, expect, it } from 'vitest';
import { createEmbedder } from '#server/embeddings/create-embedder.ts';
import { createLog } from '#server/log.ts';
import { createProductDemo, type ProductDemo } from './product-demo.ts';
import { products } from './products.ts';

let demo: ProductDemo;
beforeAll(async () => {
  const embedder = await createEmbedder({ modelsDir: 'models', log: createLog('silent') });
  demo = createProductDemo({ embedder });
  return () => embedder.stop();
});

const names = async (query: string) => (await demo.search(query)).hits.map(({ name }) => name);

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

  it('answers two hits, the better one first, and marks the words', async () => {
    const { hits } = await demo.search('headphones');
    expect(hits).toHaveLength(2);
    expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? Number.NaN);
    expect(hits[0]?.highlights.map(({ snippet }) => snippet).join()).toContain('<mark>');
  });

  it('has nothing for nothing', async () => {
    expect((await demo.search('   ')).hits).toEqual([]);
  });

  it('answers the same question alike, however it is written', async () => {
    expect((await demo.search('  Warm   COAT ')).hits).toEqual((await demo.search('warm coat')).hits);
  });
});
