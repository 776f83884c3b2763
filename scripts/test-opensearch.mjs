// `npm run test:opensearch`: the tests that need a search cluster, and some of the server's own with their indexes in one. It starts a cluster of one node where
// OPENSEARCH_URL names none, and says so where it cannot (3).
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';
import { bin, requireNode, runCode } from './freshness.mjs';

requireNode();
await ensureInstalled('all');

const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'opensearch-dev.mjs');
const dev = (command) =>
  spawnSync(process.execPath, [script, command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { OPENSEARCH_HEAP: '1g', ...process.env },
  });

const isOwn = !process.env.OPENSEARCH_URL;
const { status, stdout } = isOwn ? dev('start') : { status: 0, stdout: process.env.OPENSEARCH_URL };
if (status === 0) process.exitCode = await run(stdout.trim());
else process.exitCode = status ?? 1;

async function run(url) {
  const env = { ...process.env, NODE_ENV: 'test', OPENSEARCH_URL: url };
  try {
    const alone = ['src/server/opensearch', 'src/server/operator/migrate.test.ts'];
    const own = await runCode(bin('vitest'), ['run', '--no-file-parallelism', ...alone], { env });
    // What these ask is what both engines do.
    const written = ['documents', 'collections', 'search-language', 'synonyms'];
    const shared = [
      ...written,
      'search-pages',
      'explain',
      'calibrations',
      'places',
      'understand',
      'document-map',
    ];
    const files = [
      'src/server/http/merged-search.test.ts',
      ...shared.map((name) => `src/server/rpc/routers/${name}.test.ts`),
    ];
    const others = await runCode(bin('vitest'), ['run', '--no-file-parallelism', ...files], {
      env: { ...env, TEST_SEARCH_ENGINE: 'opensearch' },
    });
    return own || others;
  } finally {
    if (isOwn) dev('stop');
  }
}
