/**
 * Answers larger than memory, over a few documents that are as large as they may be: each is refused, or has no more than one answer may (ANSWER_MB).
 * An export has all of it, some megabytes at a time. The server lives, and takes little more memory than one answer.
 *
 *   node scripts/attacks/large-answers.mjs [documents] [bytes of each] [searches]
 */
import { print, slowestHealth, withTarget } from './target.mjs';
import { judge, judgeAtMost } from './verdict.mjs';

/** In millions of bytes: ANSWER_MB, and what says why the rest is not there. */
const answerMbMost = 35;
/** For the answer where it is made, where it is written and where it waits for its reader, and for what is not collected yet. */
const moreMemoryMb = 4 * 32;
const refused = [422, 503];
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
  const path = '/api/collections/large/documents';
  const many = (per_page) =>
    Array.from({ length: searches }, () => ({ collection: 'large', query: '*', per_page }));
  const merged = { searches: [{ collections: '*', query: '*' }], merge: { per_page: 250 } };
  const ask = (method, path, body) => () => target.send(method, path, body);
  /** What each may be answered. Of several searches what does not fit is refused in its place. */
  const attacks = {
    'one multi-search': [ask('POST', '/api/multi-search', { searches: many(250) }), [200, ...refused]],
    'one of few hits each': [ask('POST', '/api/multi-search', { searches: many(8) }), [200, ...refused]],
    'one list over all': [ask('POST', '/api/multi-search', merged), refused],
    'a list of documents': [ask('GET', `${path}?per_page=250`), refused],
    'a list of one field': [ask('GET', `${path}?per_page=250&include_fields=id`), [200]],
    'an export': [ask('GET', `${path}/export`), [200]],
  };
  for (const [name, [send, statuses]] of Object.entries(attacks)) {
    const before = target.memory().now;
    target.forgetPeak();
    const { result, slowestMs } = await slowestHealth(target.url, send);
    const { peak } = target.memory();
    const megabytes = Number((result.bytes / 1e6).toFixed(1));
    print(
      `${name}: ${result.status}, ${megabytes} MB in ${result.tookMs} ms; RSS ${before} → at most ${peak} MB; /health at most ${slowestMs} ms`,
    );
    const expected = statuses.join(' or ');
    judge(`${name}: the answer`, {
      expected,
      found: result.status,
      isFine: statuses.includes(result.status),
    });
    if (name !== 'an export') judgeAtMost(`${name}: its length`, answerMbMost, megabytes, 'MB');
    judgeAtMost(`${name}: memory`, before + moreMemoryMb, peak, 'MB');
  }
  judge('the server', {
    expected: 'lives',
    found: target.isAlive() ? 'lives' : 'ended',
    isFine: target.isAlive(),
  });
});
