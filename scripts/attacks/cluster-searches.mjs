/**
 * Searches that a search cluster answers (SEARCH_ENGINE=opensearch): filters that are legal and as dear as they can be, words, facets and groups over all
 * documents, twenty-five at once and a flood whose callers hang up. Whoever asks is answered or refused, another tenant is answered all the while, the main
 * thread is held for 50 ms at most at a time, and the cluster is well afterwards. Needs a cluster: OPENSEARCH_URL, as `scripts/opensearch-dev.mjs start` prints it.
 *
 *   OPENSEARCH_URL=… node scripts/attacks/cluster-searches.mjs [documents]
 */
import { createBurst } from './burst.mjs';
import { print, withTarget } from './target.mjs';
import { judge } from './verdict.mjs';

const [documents = 2_000] = process.argv.slice(2).map(Number);
const nodes = process.env.OPENSEARCH_URL;
const words = Array.from({ length: 600 }, (_, i) => `word${i}`);
const atOnce = 25;
const hangUpMs = 50;

const textOf = (i) =>
  Array.from({ length: 100 }, (_, place) =>
    place % 3 === 0 ? 'the' : words[(i * 31 + place * 7) % words.length],
  ).join(' ');
const many = (conditions, by, condition) =>
  Array.from({ length: conditions }, (_, i) => condition(i)).join(` ${by} `);
const searches = {
  'one condition a thousand times': { query: '*', filter_by: many(1_000, '&&', () => 'text:the') },
  'lists that all have one frequent word': {
    query: '*',
    filter_by: many(500, '&&', (i) => `text:[the, w${i}]`),
  },
  'phrases of frequent words': {
    query: '*',
    filter_by: many(700, '||', (i) => `text:the word${i % words.length}`),
  },
  beginnings: { query: '*', filter_by: many(700, '||', (i) => `text:="the w${i}"*`) },
  'a query of all words': { query: words.join(' ').slice(0, 4_000), per_page: 100 },
  'facets and groups over all': { query: '*', facet_by: 'number,kind', group_by: 'kind', per_page: 50 },
};

if (nodes) await attack();
else print('skipped: OPENSEARCH_URL is not set');

async function attack() {
  await withTarget(
    async (target) => {
      const { id } = await target.createCollection('films', 8);
      const lines = Array.from({ length: documents }, (_, i) =>
        JSON.stringify({ id: `f${i}`, text: textOf(i), number: i, kind: `k${i % 50}` }),
      );
      const ndjson = { 'content-type': 'application/x-ndjson' };
      const imported = await target.send(
        'POST',
        '/api/collections/films/documents/import',
        lines.join('\n'),
        ndjson,
      );
      if (imported.status !== 200) throw new Error(`import: ${imported.status} ${imported.text}`);
      const ask = (body, signal) =>
        target.send('POST', '/api/collections/films/search', body, {}, signal).catch(() => ({
          status: 'hung up',
          tookMs: hangUpMs,
        }));
      const burst = await createBurst(target, { statuses: [200, 422, 429, 'hung up'], moreMemoryMb: 300 });
      for (const [name, body] of Object.entries(searches)) {
        await burst(name, 1, () => ask(body));
        await burst(name, atOnce, () => ask(body));
      }
      const all = Object.values(searches);
      await burst('callers who hang up', 8 * atOnce, (i) =>
        ask(all[i % all.length], AbortSignal.timeout(hangUpMs)),
      );
      const health = await fetch(`${nodes.split(',')[0]}/_cluster/health`).then((answer) => answer.json());
      judge('the cluster', {
        expected: 'not red',
        found: health.status,
        isFine: health.status !== 'red',
      });
      const { status } = await ask({ query: 'the' });
      judge('a search afterwards', { expected: 200, found: status, isFine: status === 200 });
      await target.dropCollection(id);
    },
    { SEARCH_ENGINE: 'opensearch', OPENSEARCH_URL: nodes, EMBEDDINGS: 'static', PURGE_AFTER_SECONDS: '1' },
  );
}
