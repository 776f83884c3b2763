/**
 * As many and as large synonyms and overrides as may be, and queries on which all of them act, many at once: uploads and searches hold the main
 * thread for 50 ms at most at a time, by its own processor time, a search gets its answer or is told that it is too dear, another tenant's searches are answered, and
 * memory stays within some hundred megabytes.
 *
 *   node scripts/attacks/many-rules.mjs
 */
import { createBurst } from './burst.mjs';
import { withTarget } from './target.mjs';

const moreMemoryMb = 500;
const atOnce = 8;
const documents = 5_000;
const statuses = [200, 201, 400, 409, 413, 422, 429, 503];

/** Words of few letters, so that each has neighbours and begins others. */
const wordOf = (i) => `w${(i % 1_296).toString(36)}`;

const synonymSets = {
  'many of two words': Array.from({ length: 5_000 }, (_, i) => ({
    id: `s${i}`,
    synonyms: [wordOf(i), wordOf(i * 7 + 1)],
  })),
  'of fifty words each, all of them chained': Array.from({ length: 1_500 }, (_, i) => ({
    id: `t${i}`,
    synonyms: Array.from({ length: 50 }, (_, at) => wordOf(i + at * 31)),
  })),
  'phrases that share their beginnings': Array.from({ length: 2_000 }, (_, i) => ({
    id: `p${i}`,
    synonyms: [`w1 w2 w3 w4 w5 ${wordOf(i)}`, `w1 w2 w3 w4 w5 w6 ${wordOf(i + 1)}`],
  })),
};
const overrides = Array.from({ length: 200 }, (_, i) => ({
  id: `o${i}`,
  rule: { query: `w1 w2 ${wordOf(i)}`, match: 'contains' },
  includes: Array.from({ length: 100 }, (_, at) => ({
    id: `d${(i * 100 + at) % documents}`,
    position: at + 1,
  })),
  excludes: Array.from({ length: 100 }, (_, at) => ({ id: `d${(i * 37 + at) % documents}` })),
}));
const queries = [
  Array.from({ length: 1_000 }, (_, i) => wordOf(i))
    .join(' ')
    .slice(0, 4_096),
  'w1 w2 w3 w4 w5 '.repeat(270),
  'w'.repeat(4_096),
  Array.from({ length: 200 }, (_, i) => `"w1 w2 ${wordOf(i)}"`)
    .join(' ')
    .slice(0, 4_096),
];

await withTarget(async (target) => {
  await target.createCollection('things', 384);
  const lines = Array.from({ length: documents }, (_, i) =>
    JSON.stringify({
      id: `d${i}`,
      title: Array.from({ length: 20 }, (_, at) => wordOf(i * 13 + at * 5)).join(' '),
    }),
  );
  const imported = await target.send('POST', '/api/collections/things/documents/import', lines.join('\n'), {
    'content-type': 'application/x-ndjson',
  });
  if (imported.status !== 200) throw new Error(`import: ${imported.status} ${imported.text}`);
  const burst = await createBurst(target, { statuses, moreMemoryMb });

  const search =
    (query, mode = 'search') =>
    () =>
      target.send('POST', `/api/collections/things/${mode}`, { query, per_page: 100 });
  for (const [name, set] of Object.entries(synonymSets)) {
    const half = Math.ceil(set.length / 2);
    for (const part of [set.slice(0, half), set.slice(half)])
      await burst(`synonyms, ${name}: an upload`, 1, () =>
        target.send('POST', '/api/collections/things/synonyms/import', part),
      );
    for (const [i, query] of queries.entries())
      for (const mode of ['search', 'hybrid-search'])
        await burst(`synonyms, ${name}: query ${i + 1}, ${mode}`, atOnce, search(query, mode));
    for (const { id } of set.slice(0, 3))
      await target.send('DELETE', `/api/collections/things/synonyms/${id}`);
  }
  await burst('overrides: an upload', overrides.length, (i) =>
    target.send('POST', '/api/collections/things/overrides', overrides[i]),
  );
  for (const [i, query] of queries.entries()) await burst(`overrides: query ${i + 1}`, atOnce, search(query));
});
