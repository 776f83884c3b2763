/**
 * One multi-search with a key for reading, over a few documents that are as large as they may be.
 *
 *   node scripts/attacks/large-answers.mjs [documents] [bytes of each] [searches]
 *
 * It must not end the server, nor take it much more than one answer may have (ANSWER_MB).
 */
import { print, slowestHealth, withTarget } from './target.mjs';

const [documents = 60, bytes = 3_600_000, searches = 50] = process.argv.slice(2).map(Number);

await withTarget(async (target) => {
  await target.createCollection('large', 8);
  const text = 'x'.repeat(bytes);
  for (let i = 0; i < documents; i += 1) {
    const { status, text: said } = await target.send('POST', '/api/collections/large/documents', {
      id: `d${i}`,
      text,
    });
    if (status !== 201) throw new Error(`document ${i}: ${status} ${said}`);
  }
  const attacks = {
    'one multi-search': [
      'POST',
      '/api/multi-search',
      {
        searches: Array.from({ length: searches }, () => ({
          collection: 'large',
          query: '*',
          per_page: 250,
        })),
      },
    ],
    'one of few hits each': [
      'POST',
      '/api/multi-search',
      {
        searches: Array.from({ length: searches }, () => ({ collection: 'large', query: '*', per_page: 8 })),
      },
    ],
    'one list over all': [
      'POST',
      '/api/multi-search',
      { searches: [{ collections: '*', query: '*' }], merge: { per_page: 250 } },
    ],
    'a list of documents': ['GET', '/api/collections/large/documents?per_page=250'],
    'a list of one field': ['GET', '/api/collections/large/documents?per_page=250&include_fields=id'],
    'an export': ['GET', '/api/collections/large/documents/export'],
  };
  for (const [name, request] of Object.entries(attacks)) {
    const before = target.memory().now;
    target.forgetPeak();
    const { result, slowestMs } = await slowestHealth(target.url, () => target.send(...request));
    const { peak } = target.memory();
    print(
      `${name.padEnd(22)} ${result.status}, ${(result.bytes / 1e6).toFixed(1)} MB in ${result.tookMs} ms; RSS ${before} → at most ${peak} MB; /health at most ${slowestMs} ms`,
    );
  }
});
