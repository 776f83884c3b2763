import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kit, startKit } from '#server/testing/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const get = (path: string, method = 'GET') => kit.app.request(path, { method });
const textOf = async (path: string) => await (await get(path)).text();

test('/llms.txt lists every article with an address that has it, as the convention asks', async () => {
  const answer = await get('/llms.txt');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Vectora documentation\n\n> .+\n\n## Getting Started\n/);
  const addresses = [...text.matchAll(/^- \[[^\]]+\]\((\/documentation\/[^)]+)\): \S/gm)].map(
    ([, address = '']) => address,
  );
  expect(addresses.length).toBeGreaterThan(20);
  for (const address of addresses) {
    const article = await get(address);
    expect(article.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await article.text(), address).toMatch(/^# /);
  }
});

test('links between articles lead to their Markdown, and to nothing that is not served', async () => {
  const text = await textOf('/documentation/quick-start.md');
  expect(text).toContain('[Filters](/documentation/filters.md)');
  const links = [...(await textOf('/llms-full.txt')).matchAll(/\]\(([^)\s#]+)/g)].map(
    ([, link = '']) => link,
  );
  const inside = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(inside.length).toBeGreaterThan(30);
  expect(inside.filter((link) => !/^\/documentation\/[\w-]+\.md$/.test(link))).toEqual([]);
});

test('/llms-full.txt has all of them', async () => {
  const text = await textOf('/llms-full.txt');
  for (const title of ['Concepts', 'Filters', 'Limits', 'Self-hosting'])
    expect(text).toContain(`\n# ${title}\n`);
});

test('an unknown article is a 404 that says where they are listed, and nothing can be written', async () => {
  const answer = await get('/documentation/no-such.md');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('/llms.txt'),
  });
  expect((await get('/documentation/README.md')).status).toBe(404);
  expect((await get('/llms.txt', 'DELETE')).status).toBe(405);
});
