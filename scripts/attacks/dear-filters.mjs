/**
 * Filters that are legal and as dear as they can be, over 4,000 documents of 300 words, each equal and different in its conditions: the one who asks is
 * answered or refused soon, and another tenant hardly waits. One that hangs up leaves no work behind.
 *
 *   node scripts/attacks/dear-filters.mjs [documents]
 */
import { createBystander, searchesBeside } from './bystander.mjs';
import { withTarget } from './target.mjs';
import { judge, judgeAtMost } from './verdict.mjs';

const [documents = 4_000] = process.argv.slice(2).map(Number);
const words = Array.from({ length: 600 }, (_, i) => `word${i}`);
const answeredMs = 5_000;
const besideMs = 500;

/** Every third word is "the". */
const textOf = (i) =>
  Array.from({ length: 300 }, (_, place) =>
    place % 3 === 0 ? 'the' : words[(i * 31 + place * 7) % words.length],
  ).join(' ');
const many = (conditions, by, condition) =>
  Array.from({ length: conditions }, (_, i) => condition(i)).join(` ${by} `);
/** About 15 KB each; what is joined by && holds for every document. */
const filters = {
  'one condition a thousand times': many(1_000, '&&', () => 'text:the'),
  'two words a thousand times': many(1_000, '&&', () => 'text:the t'),
  'lists that all have one frequent word': many(500, '&&', (i) => `text:[the, w${i}]`),
  'all but a phrase': many(800, '&&', (i) => `text:!=the w${i}`),
  'phrases of frequent words': many(700, '||', (i) => `text:the word${i % words.length}`),
  beginnings: many(700, '||', (i) => `text:="the w${i}"*`),
};

await withTarget(async (target) => {
  await target.createCollection('films', 8);
  const lines = Array.from({ length: documents }, (_, i) => JSON.stringify({ id: `f${i}`, text: textOf(i) }));
  const ndjson = { 'content-type': 'application/x-ndjson' };
  await target.send('POST', '/api/collections/films/documents/import', lines.join('\n'), ndjson);
  const bystander = await createBystander(target);
  const ask = (filter_by, signal) =>
    target.send('POST', '/api/collections/films/search', { query: '*', filter_by }, {}, signal);
  for (const [name, filter] of Object.entries(filters)) {
    const { result, slowestMs, statuses } = await searchesBeside(bystander, () => ask(filter));
    const isFine = [200, 422, 503].includes(result.status);
    judge(`${name}: the answer`, { expected: '200, 422 or 503', found: result.status, isFine });
    judgeAtMost(`${name}: the answer`, answeredMs, result.tookMs, 'ms');
    judgeAtMost(`${name}: another tenant’s search`, besideMs, slowestMs(), 'ms');
    const others = statuses.filter((status) => status !== 200);
    judge(`${name}: another tenant`, {
      expected: '200 always',
      found: others.join() || 200,
      isFine: others.length === 0,
    });
  }
  const { slowestMs } = await searchesBeside(bystander, async () => {
    const asked = Object.values(filters).map((filter) =>
      ask(filter, AbortSignal.timeout(50)).catch(() => null),
    );
    await Promise.all(asked);
  });
  judgeAtMost('callers who hang up: another tenant’s search', besideMs, slowestMs(), 'ms');
});
