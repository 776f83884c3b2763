/**
 * Filters that are legal and as dear as they can be, over 4,000 documents of 300 words, each equal and different in its conditions, asked by several at once and
 * again and again: whoever asks is answered or refused soon, and another tenant hardly waits longer than beside as many who ask for one word. Those that hang
 * up leave no work behind.
 *
 *   node scripts/attacks/dear-filters.mjs [documents]
 */
import { beforeMs, createBystander, judgeBystander, searchesBeside } from './bystander.mjs';
import { withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [documents = 4_000] = process.argv.slice(2).map(Number);
const words = Array.from({ length: 600 }, (_, i) => `word${i}`);
const answeredMs = 5_000;
const callers = 4;

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
  /** As many callers, each asking again as soon as it was answered. */
  const insist = async (askOnce) => {
    const until = performance.now() + beforeMs;
    const answers = [];
    const one = async () => {
      while (performance.now() < until) answers.push(await askOnce());
    };
    await Promise.all(Array.from({ length: callers }, one));
    return answers;
  };
  const usual = () => insist(() => ask('text:word5'));
  for (const [name, filter] of Object.entries(filters)) {
    const searches = await searchesBeside(bystander, () => insist(() => ask(filter)), usual);
    const statuses = searches.result.map(({ status }) => status);
    const isFine = statuses.every((status) => [200, 422, 429, 503].includes(status));
    judge(`${name}: the answers`, { expected: '200, 422, 429 or 503', found: tally(statuses), isFine });
    const slowestMs = Math.max(...searches.result.map(({ tookMs }) => tookMs));
    judgeAtMost(`${name}: the slowest answer`, answeredMs, slowestMs, 'ms');
    judgeBystander(name, searches);
  }
  const all = Object.values(filters);
  let asked = 0;
  const hangUp = () => {
    asked += 1;
    return ask(all[asked % all.length], AbortSignal.timeout(50)).catch(() => null);
  };
  judgeBystander('callers who hang up', await searchesBeside(bystander, () => insist(hangUp), usual));
});
