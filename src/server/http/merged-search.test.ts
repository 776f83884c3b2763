import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '#server/indexes/search/in-parallel.ts';
import { limits } from '#shared/limits.ts';
import type { MergedSearchAnswer } from '#shared/search.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { listen, type RunningServer } from './node-server.ts';

/** One list over many collections, by `npm run test:long` as many as a large project has, with the longest query there may be, over a socket. */
const collectionCount = process.env['LONG_TESTS'] ? 200 : 70;
const scripts = {
  Latin: 'quick brown foxes jump over the lazy dog ',
  Cyrillic: 'съешь ещё этих мягких французских булок ',
  Greek: 'ξεσκεπάζω την ψυχοφθόρα βδελυγμία ',
  Arabic: 'نص حكيم له سر قاطع وذو شأن عظيم ',
  Han: '視野無限廣窗外有藍天',
  Thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า',
  Hangul: '키스의 고유조건은 입술끼리 만나야 하고 ',
};
type Script = keyof typeof scripts;
const names = Object.keys(scripts) as Script[];

let kit: Kit;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  const owner = await signUp(kit);
  const { id: projectId } = await createProject(kit, owner);
  const numbers = Array.from({ length: collectionCount }, (_, i) => i);
  await inParallel(numbers, { atOnce: 8 }, async (i) => {
    const name = `c${i}`;
    await createCollection(kit, owner, { projectId, name });
    const script = names[i % names.length] ?? 'Latin';
    const body = [
      { id: 'own', title: scripts[script], script },
      { id: 'other', title: `number ${i}` },
    ];
    await must(
      call(kit, { method: 'POST', path: `/api/collections/${name}/documents/import`, body, as: owner.as }),
    );
  });
  ({ key } = await createKey(kit, owner, { projectId }));
});

afterAll(async () => {
  await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await kit.close();
});

async function search(given: Record<string, unknown>, merge: object): Promise<MergedSearchAnswer> {
  const response = await fetch(`${server.url}/api/multi-search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ searches: [given], merge }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as MergedSearchAnswer;
}

/** The longest query is embedded the same way in every script. */
const modesIn = (script: Script) => (script === 'Thai' ? ['keyword', 'hybrid'] : ['keyword']);

const longest = (script: Script) =>
  scripts[script].repeat(limits.queryCharactersMax).slice(0, limits.queryCharactersMax);

test.each(names)('a query of 4,096 characters in %s finds what is written so', async (script) => {
  const query = longest(script);
  for (const mode of modesIn(script)) {
    const answer = await search({ collections: '*', query, mode, facet_by: 'script' }, { per_page: 7 });
    expect([answer.collection_counts.length, answer.failures]).toEqual([collectionCount, []]);
    expect(answer.out_of).toBe(2 * collectionCount);
    expect(answer.hits.map(({ document }) => document['script'])).toEqual(Array(7).fill(script));
    const count = answer.facet_counts[0]?.counts.find(({ value }) => value === script)?.count;
    const extra = names.indexOf(script) < collectionCount % names.length ? 1 : 0;
    expect(count).toBe(Math.floor(collectionCount / names.length) + extra);
  }
});

test('its pages show every hit once', async () => {
  const seen = new Set<string>();
  for (let page = 1; page <= 5; page += 1) {
    const asked = { page, per_page: (2 * collectionCount) / 5 };
    const { hits, found } = await search({ collections: '*', query: '*' }, asked);
    expect([hits.length, found]).toEqual([asked.per_page, 2 * collectionCount]);
    for (const { collection, id } of hits) seen.add(`${collection.id}/${id}`);
  }
  expect(seen.size).toBe(2 * collectionCount);
});
