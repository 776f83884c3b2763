// `npm run test:long`: whole what `npm test` runs a part of, the engine's and the server's tests, these on the oldest Postgres too, those named `*.long.*`, every page in every state (`e2e/long`), and
// what InstantSearch itself makes of a copied page. Each run makes up other requests and kills at other moments; FUZZ_SEED=… and KILL_SEED=…
// make up those of an earlier one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './ensure-installed.mjs';
import { bin, ensureBuilt, requireNode, runCode } from './freshness.mjs';

requireNode();
await ensureInstalled('all');
await ensureBuilt();
const seed = process.env.FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const requests = process.env.FUZZ_REQUESTS ?? '6000';
const kills = process.env.KILL_TIMES ?? '30';
process.stdout.write(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests} KILL_TIMES=${kills}\n`);
const projects = ['server', 'structure', 'engine'].flatMap((name) => ['--project', name]);
const vitest = await runCode(bin('vitest'), ['run', ...projects], {
  env: {
    ...process.env,
    NODE_ENV: 'test',
    LONG_TESTS: '1',
    FUZZ_SEED: seed,
    FUZZ_REQUESTS: requests,
    KILL_TIMES: kills,
  },
});

// Too much to install for one test, and not all of it says its licence.
const packages = mkdtempSync(path.join(tmpdir(), 'vectora-instantsearch-'));
try {
  execFileSync(
    'npm',
    ['install', '--prefix', packages, '--ignore-scripts', 'instantsearch.js@4.118.1', 'algoliasearch@5.65.0'],
    {
      stdio: 'inherit',
    },
  );
  const playwright = await runCode(bin('playwright'), ['test'], {
    env: { ...process.env, LONG_TESTS: '1', INSTANTSEARCH_PACKAGES: packages },
  });
  process.exitCode = vitest || playwright;
} finally {
  rmSync(packages, { recursive: true });
}
