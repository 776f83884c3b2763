import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import type { ArticlesAnswer } from '#shared/documentation.ts';

let kit: Kit;
let search: (query: string) => Promise<ArticlesAnswer>;
beforeAll(async () => {
  kit = await startKit();
  const { call } = await newTenant(kit.deps);
  search = (query) => call.documentation.search({ query });
});
afterAll(() => kit.close());

const places = async (query: string) =>
  (await search(query)).hits.map(({ slug, anchor }) => (anchor === '' ? slug : `${slug}#${anchor}`));

test.each([
  ['facet_mode', 'facets#boxes-to-tick'],
  ['idempotency key', 'importing#send-it-again'],
  ['Retry-After', 'errors#trying-again'],
  ['alpha', 'hybrid-search#how-it-is-weighed'],
])('“%s” finds the part that has the words', async (query, place) => {
  expect((await places(query)).slice(0, 5)).toContain(place);
});

test.each([
  ['keep a document on top of the results', /^tuning#overrides$/],
  ['upload a spreadsheet', /^(importing|documents)/],
  ['too many requests', /^(errors|operations|limits)/],
  ['how do I back up my data', /^(self-hosting#back-up|operations)/],
  ['invite a colleague', /^members/],
  ['who signed in to my account', /^account/],
  ['be told of errors', /^(monitoring|operations|errors)/],
])('“%s” finds what is meant, in other words', async (query, place) => {
  expect((await places(query)).slice(0, 3)).toContainEqual(expect.stringMatching(place));
});

/** What newcomers type, and what they mean. */
test.each([
  ['typo tolerance', /^searching#typo-tolerance$/],
  ['spelling mistakes', /^searching#typo-tolerance$/],
  ['api key', /^api-keys$/],
  ['import csv', /^importing#csv$/],
  ['filter by price', /^(filters|search#filters)/],
  ['autocomplete', /^suggestions#while-somebody-types$/],
  ['synonyms', /^tuning#synonyms$/],
  ['pagination', /^searching#pages$/],
  ['delete a document', /^writing-documents#delete$/],
  ['rate limit', /^operations#rates$/],
  ['bring my own embeddings', /^own-vectors/],
  ['sort results', /^searching#sorting$/],
  ['webhook', /^webhooks/],
  ['geo search', /^filters#near-a-place$/],
  ['getting started', /^quick-start/],
])('“%s” has the part about it among the first three', async (query, place) => {
  expect((await places(query)).slice(0, 3)).toContainEqual(expect.stringMatching(place));
});

test('what is about typos comes before a table that names them', async () => {
  const [first] = await places('typo tolerance');
  expect(first).toBe('searching#typo-tolerance');
  expect((await places('typos'))[0]).toBe('searching#typo-tolerance');
});

test('a hit has its article, its heading and a snippet that marks the words and nothing else', async () => {
  const { hits } = await search('disjunctive');
  const hit = hits.find(({ slug }) => slug === 'facets');
  expect(hit).toMatchObject({ article: 'Facets and groups', heading: 'Boxes to tick' });
  expect(hit?.snippet).toContain('<mark>disjunctive</mark>');
  expect(hit?.snippet.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
});

test('a snippet without marks is not cut within a word', async () => {
  const { hits } = await search('alert');
  const unmarked = hits.map(({ snippet }) => snippet).filter((snippet) => !snippet.includes('<mark>'));
  expect(unmarked.length).toBeGreaterThan(0);
  for (const snippet of unmarked) expect(snippet).toMatch(/[.:)] ?$| …$/);
});

test('of one article at most three parts are shown', async () => {
  const { hits } = await search('search');
  const ofSameArticle = hits.map(({ slug }) => hits.filter((other) => other.slug === slug).length);
  expect(Math.max(...ofSameArticle)).toBe(3);
  expect(hits.length).toBeGreaterThan(6);
});

test.each(['qqqxyz', '   ', ''])('“%s” finds nothing', async (query) => {
  expect((await search(query)).hits).toEqual([]);
});

test('it is for whoever is signed in', async () => {
  const nobody = callAs(kit.deps, null);
  await expect(nobody.documentation.search({ query: 'filter' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
});
