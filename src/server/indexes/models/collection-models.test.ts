import { expect, test } from 'vitest';
import { CollectionModels } from './collection-models.ts';

function open(stored: string, { isMoving = false, hasService = true } = {}) {
  let statements = 0;
  let held = Promise.resolve();
  const sql = (async (_: unknown, ids: string) => {
    statements += 1;
    await held;
    return (JSON.parse(`[${ids.slice(1, -1)}]`) as number[]).map((id) => ({ id: String(id), model: stored }));
  }) as never;
  /** The record answers once the result is called. */
  const holdNext = () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  const service = { id: 'openai:m', fits: (dimension: number) => dimension === 8 };
  const embedder = { id: 'static-1', embedDocuments: async () => new Float32Array(0) };
  const builtInTierOf = () => 'static' as const;
  const parts = { record: { sql }, embedder, isMoving, builtInTierOf };
  const models = new CollectionModels({ ...parts, service: hasService ? service : null });
  return { models, statements: () => statements, holdNext };
}

test('the record is asked once for a collection, and again after a move of which nothing is known', async () => {
  const { models, statements } = open('builtin');
  expect([await models.tierOf(1), await models.tierOf(1), statements()]).toEqual(['static', 'static', 1]);
  models.moved(1, 'openai:m');
  expect([await models.tierOf(1), statements()]).toEqual(['service', 1]);
  expect(await models.forDocuments(1)).toEqual({ id: 'openai:m', recorded: 'openai:m', embedder: null });
  models.moved(1, null);
  expect([await models.tierOf(1), statements()]).toEqual(['static', 2]);
  expect(await open('openai:other').models.tierOf(1)).toBe('absent');
});

test('many collections that are asked for at once are one statement', async () => {
  const { models, statements } = open('builtin');
  const ids = Array.from({ length: 500 }, (_, i) => i + 1);
  const tiers = await Promise.all(ids.map((id) => models.tierOf(id)));
  expect([new Set(tiers), statements()]).toEqual([new Set(['static']), 1]);
  await models.tierOf(501);
  expect(statements()).toBe(2);
});

test('new collections have the service where it fits; others become such only where they are moved', () => {
  const stays = open('builtin').models;
  const moves = open('builtin', { isMoving: true }).models;
  expect([8, 9, 384].map((dimension) => stays.modelFor(dimension))).toEqual([
    'openai:m',
    'builtin:rotated',
    'builtin',
  ]);
  const collections = ['builtin', 'builtin:rotated', 'openai:m', 'openai:other'].flatMap((model) =>
    [8, 9, 384].map((dimension) => ({ model, dimension })),
  );
  expect(collections.map((each) => stays.targetOf(each))).toEqual(collections.map(({ model }) => model));
  expect(collections.map((each) => moves.targetOf(each))).toEqual(
    collections.map(({ dimension }) => stays.modelFor(dimension)),
  );
});

test('vectors of a collection are rotated or cut as the record says, those of its queries too', async () => {
  for (const hasService of [false, true]) {
    const { models: cut } = open('builtin', { hasService });
    expect([await cut.tierOf(1), (await cut.forDocuments(1)).id]).toEqual(['static', 'static-1']);
    const { models: rotated } = open('builtin:rotated', { hasService });
    expect([await rotated.tierOf(1), (await rotated.forDocuments(1)).id]).toEqual([
      'static-rotated',
      'static-minilm-384-1-rotated',
    ]);
  }
});

test('what is asked while a collection is moved is asked again, and nothing of others', async () => {
  const { models } = open('builtin');
  let asked = 0;
  const ask = (moved: number | null) => async () => {
    asked += 1;
    if (moved !== null && asked === 1) models.moved(moved, 'openai:m');
    return asked;
  };
  expect(await models.steady([1, 2], ask(2))).toBe(2);
  asked = 0;
  expect(await models.steady([1, 2], ask(3))).toBe(1);
  asked = 0;
  expect(await models.steady([1], ask(null))).toBe(1);
});

test('what the record said before a move is not remembered after it', async () => {
  const { models, holdNext } = open('builtin');
  const release = holdNext();
  const early = models.tierOf(1);
  models.moved(1, 'openai:m');
  release();
  await early;
  expect(await models.tierOf(1)).toBe('service');
});
