// `npm run test:long`: whole what `npm test` runs a part of. Each run makes up other requests and kills at other moments; FUZZ_SEED=… and KILL_SEED=…
// make up those of an earlier one.
import { ensureInstalled } from './ensure-installed.mjs';
import { bin, ensureBuilt, requireNode, runCode } from './freshness.mjs';

requireNode();
await ensureInstalled('all');
await ensureBuilt();
const seed = process.env.FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const requests = process.env.FUZZ_REQUESTS ?? '6000';
const kills = process.env.KILL_TIMES ?? '30';
const files = ['src/server/testing/contract', 'src/server/testing/kill/kill.test.ts'];
process.stdout.write(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests} KILL_TIMES=${kills}\n`);
process.exit(
  await runCode(bin('vitest'), ['run', '--project', 'server', ...files], {
    env: { ...process.env, NODE_ENV: 'test', FUZZ_SEED: seed, FUZZ_REQUESTS: requests, KILL_TIMES: kills },
  }),
);
