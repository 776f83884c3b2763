/**
 * Fifty addresses guess passwords of accounts that nobody has, as fast as they are answered, one of them forty at a time: a browser that has signed in before, a session's writes and,
 * once each address has had a turn, strangers from elsewhere get in all the same.
 *
 *   node scripts/attacks/login-flood.mjs [seconds]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { withTarget } from './target.mjs';
import { judge, tally } from './verdict.mjs';

const [seconds = 20] = process.argv.slice(2).map(Number);
const addresses = 50;
const everyMs = 400;

await withTarget(
  async (target) => {
    // Not the one that writes: of many sessions of an account the oldest end.
    const owner = await target.newcomer('owner');
    const signIn = async ({ email, password }, address, cookie = '') => {
      const headers = { 'x-forwarded-for': address, cookie };
      const response = await fetch(`${target.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(cookie && { origin: target.url }), ...headers },
        body: JSON.stringify({ email, password }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const until = performance.now() + seconds * 1_000;
    const flood = [];
    const hadTurn = new Set();
    const guess = async (number) => {
      for (let i = 0; performance.now() < until; i += 1) {
        const nobody = { email: `nobody${number}.${i}@example.com`, password: 'wrong' };
        const status = await signIn(nobody, `203.0.113.${number}`);
        flood.push(status);
        if (status === 401) hadTurn.add(number);
      }
    };
    const repeat = async (work, isTime = () => true) => {
      const statuses = [];
      while (!isTime() && performance.now() < until) await delay(50);
      for (let i = 0; performance.now() < until; i += 1) {
        statuses.push(await work(i));
        await delay(everyMs);
      }
      return statuses;
    };
    const writes = async (i) => {
      const { id } = await target.createCollection(`during ${i}`, 8);
      await target.dropCollection(id);
      return 'written';
    };
    const [known, written, strangers] = await Promise.all([
      repeat(() => signIn(owner, '203.0.113.1', owner.device)),
      repeat(writes),
      repeat(
        (i) => signIn(owner, `198.51.100.${i}`),
        () => hadTurn.size === addresses,
      ),
      ...Array.from({ length: addresses }, (_, number) => guess(number)),
      // Where the known device is.
      ...Array.from({ length: 40 }, () => guess(1)),
    ]);
    const all = (statuses, wanted) => statuses.length > 0 && statuses.every((status) => status === wanted);
    judge('the flood', { expected: 'most of it 429', found: tally(flood), isFine: flood.includes(429) });
    judge('a device that is known', { expected: '200 always', found: tally(known), isFine: all(known, 200) });
    judge('writes of a session', {
      expected: 'always',
      found: tally(written),
      isFine: all(written, 'written'),
    });
    judge('strangers elsewhere', {
      expected: '200 always',
      found: tally(strangers),
      isFine: all(strangers, 200),
    });
  },
  // OWASP's minimum: each address has its turn sooner.
  { TRUST_PROXY: '1', PASSWORD_HASH_MEMORY_MB: '19', PASSWORD_HASH_PASSES: '2' },
);
