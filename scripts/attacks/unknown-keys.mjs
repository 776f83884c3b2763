/**
 * Sixteen clients guess keys that look right, for some seconds: they are soon told to wait, and a tenant's searches hardly notice.
 *
 *   node scripts/attacks/unknown-keys.mjs [seconds]
 */

import { loadSources } from '../load-sources.mjs';
import { createBystander, judgeSlowest, searchesBeside } from './bystander.mjs';
import { withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [seconds = 5] = process.argv.slice(2).map(Number);
const clients = 16;
const besideMs = 500;
/** UNKNOWN_KEYS_PER_ADDRESS is 60 a minute; the run may touch two. */
const lookedUpMost = 120;
const { makeApiKey } = await loadSources(
  `export { makeApiKey } from './src/server/auth/keys/key-format.ts';`,
);

await withTarget(async (target) => {
  const bystander = await createBystander(target);
  const searches = await searchesBeside(bystander, async () => {
    const until = performance.now() + seconds * 1_000;
    const answers = [];
    const guess = async () => {
      while (performance.now() < until) {
        const headers = { 'x-api-key': makeApiKey() };
        answers.push((await target.send('GET', '/api/collections', undefined, headers)).status);
      }
    };
    await Promise.all(Array.from({ length: clients }, guess));
    return answers;
  });
  const { result } = searches;
  judgeAtMost(
    'keys that were looked up',
    lookedUpMost,
    result.filter((status) => status !== 429).length,
    'of them',
  );
  judge('the guesses', { expected: 'the rest 429', found: tally(result), isFine: result.includes(429) });
  judgeSlowest('guessed keys', searches, besideMs);
});
