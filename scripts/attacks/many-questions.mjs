/**
 * The dearest questions that are legal, many at once: 4,000 characters over twenty large documents in each of fifty collections, and answers as a
 * stream whose reader is gone at once. The main thread is held for 50 ms at most at a time, by its own processor time, memory stays within some hundred megabytes,
 * another tenant's searches are answered, and what nobody reads leaves no socket open.
 *
 *   node scripts/attacks/many-questions.mjs
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createBurst } from './burst.mjs';
import { withTarget } from './target.mjs';
import { judge } from './verdict.mjs';

const moreMemoryMb = 500;
const collections = 50;
const documents = 20;
const atOnce = 40;
const closedWithinMs = 20_000;

/** Sentences that all have words of the question; none of them is told apart by its first word. */
function textOf(document, sentences) {
  return Array.from(
    { length: sentences },
    (_, i) =>
      `The robot ${i} of garden ${document} learnt to love ship ${i * document} in ${1900 + (i % 100)}.`,
  ).join(' ');
}

const words = ['who', 'robot', 'garden', 'learnt', 'love', 'ship', 'when', 'which', 'why', 'many'];
const longQuestion = Array.from({ length: 900 }, (_, i) => words[(i * 7) % words.length])
  .join(' ')
  .slice(0, 3_999);

const questions = [
  ['one of 4,000 characters', { message: `${longQuestion}?`, context_limit: 20 }],
  ['one word after the other that nothing holds', { message: 'qx '.repeat(1_300), context_limit: 20 }],
  [
    'numbers alone',
    { message: Array.from({ length: 780 }, (_, i) => 1_000 + i).join(' '), context_limit: 20 },
  ],
  ['signs alone', { message: '?!'.repeat(1_999), context_limit: 20 }],
  ['quotes that do not end', { message: '"'.repeat(3_999), context_limit: 20 }],
];
const names = Array.from({ length: collections }, (_, i) => `c${i}`);
const statuses = [200, 400, 422, 429, 503];

await withTarget(async (target) => {
  for (const [i, name] of names.entries()) {
    await target.createCollection(name, 384);
    const lines = Array.from({ length: documents }, (_, at) =>
      JSON.stringify({ id: `d${at}`, title: `Report ${i} ${at}`, text: textOf(at + 1, 1_500) }),
    );
    const { status, text } = await target.send(
      'POST',
      `/api/collections/${name}/documents/import`,
      lines.join('\n'),
      { 'content-type': 'application/x-ndjson' },
    );
    if (status !== 200) throw new Error(`import: ${status} ${text}`);
  }
  const burst = await createBurst(target, { statuses, moreMemoryMb });
  const socketsBefore = target.openSockets();
  for (const [name, body] of questions) {
    for (const accept of ['application/json', 'text/event-stream'])
      await burst(`${name}, ${accept}`, atOnce, () =>
        target.send('POST', '/api/chat', { ...body, collections: names }, { accept }),
      );
  }

  const body = { ...questions[0][1], collections: names };
  const gone = Array.from({ length: atOnce }, async () => {
    const leaving = new AbortController();
    const asked = target.send('POST', '/api/chat', body, { accept: 'text/event-stream' }, leaving.signal);
    await pause(20);
    leaving.abort();
    await asked.catch((error) => {
      if (error.name !== 'AbortError') throw error;
    });
  });
  await Promise.all(gone);
  const until = performance.now() + closedWithinMs;
  while (target.openSockets() > socketsBefore + atOnce && performance.now() < until) await pause(100);
  const ask = () => target.send('POST', '/api/chat', { message: 'Who learnt to love?', collections: ['c0'] });
  let { status } = await ask();
  // As whoever is told to come back in a second.
  while (status === 429 && performance.now() < until) {
    await pause(1_000);
    ({ status } = await ask());
  }
  judge('a question after all who asked have gone', {
    expected: '200',
    found: String(status),
    isFine: status === 200,
  });
});
