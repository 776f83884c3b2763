import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatAnswer } from '#shared/chat.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { call, createKey, createProject, signUp } from '../callers.ts';
import { type Kit, startKit } from '../kit.ts';
import { playground } from './playground.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

test('there are 27 endpoints: 4 for collections, 5 for documents, 10 for searches, 4 for synonyms, 4 for overrides', () => {
  const counts = new Map<string, number>();
  for (const { group } of playground(1)) counts.set(group, (counts.get(group) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    collections: 4,
    documents: 5,
    search: 10,
    synonyms: 4,
    overrides: 4,
  });
});

test('each does with its body what it is for, on a new collection and with an API key alone', async () => {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  const { key } = await createKey(kit, owner, { projectId: project.id });
  const answers = new Map<string, unknown>();
  for (const { method, path, body } of playground(project.id)) {
    const answer = await call<unknown>(kit, { method, path, body, as: { key } });
    const about = `${method} ${path}: ${JSON.stringify(answer.body)?.slice(0, 500)}`;
    expect(answer.status, about).toBeGreaterThanOrEqual(200);
    expect(answer.status, about).toBeLessThan(300);
    answers.set(`${method} ${path.replace('/api/collections/products', '').split('?', 1)[0]}`, answer.body);
  }
  const idsOf = (name: string) => (answers.get(name) as SearchAnswer).hits.map(({ id }) => id);
  expect(answers.get('POST /documents/import')).toMatchObject({ succeeded: 2, failed: 0 });
  expect(answers.get('PUT /documents/product-1')).toMatchObject({ price: 179.99 });
  // The override acts on exactly this query: it is the first hit, though it costs more.
  expect(idsOf('POST /search')).toEqual(['product-1', 'product-2']);
  expect(idsOf('GET /search')[0]).toBe('product-1');
  for (const name of [
    'GET /vector-search',
    'POST /vector-search',
    'GET /hybrid-search',
    'POST /hybrid-search',
  ])
    expect(idsOf(name), name).toContain('product-1');
  expect(idsOf('POST /similar').sort()).toEqual(['product-2', 'product-3']);
  expect(answers.get('POST /api/multi-search')).toMatchObject({
    results: [{ found: 2 }, { hits: [{ id: 'product-3' }] }],
  });
  const { answer, sources } = answers.get('POST /chat') as ChatAnswer;
  expect(answer).toContain('noise cancellation');
  expect(sources.map(({ id }) => id)).toContain('product-1');
});
