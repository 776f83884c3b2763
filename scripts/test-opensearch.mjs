// `npm run test:opensearch`: the tests that need a search cluster, and some of the server's own with their indexes in one. It starts a cluster of one node where
// OPENSEARCH_URL names none, and says so where it cannot (3).
//
//   node scripts/test-opensearch.mjs --selection report.json   a minute's worth of them, as a step of `npm test`; says by name what it leaves out
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './ensure-installed.mjs';
import { at, bin, ensureBuilt, requireNode, runCode } from './freshness.mjs';
import { cache } from './opensearch-files.mjs';

const { values } = parseArgs({ options: { selection: { type: 'string' } } });

const ownTests = ['src/server/opensearch', 'src/server/operator/migrate.test.ts'];
/** What these ask is what both engines do. */
const written = ['documents', 'collections', 'search-language', 'synonyms'];
const read = [
  'search-pages',
  'explain',
  'calibrations',
  'places',
  'understand',
  'document-map',
  'judgements-models',
];
const sharedTests = [
  'src/server/http/merged-search.test.ts',
  ...[...written, ...read].map((name) => `src/server/rpc/routers/${name}.test.ts`),
];
/** By the names of tests: one truth, a server's answers held to their description, read your writes, and the outbox. */
const selection = [
  'both engines (filter (price:|title:)|order (price:|title:)|facets |words \\{ query: .(lamp|red)|vectors by cosine|one list)',
  'a server whose indexes a cluster keeps (searches in all|finds what)',
  'what is written is (found|stored|brought|in the index|refused|read|there after)',
];

/** Who may do what to whose things, what each operation answers to right and wrong requests; and every page. */
const contractTests = ['src/server/testing/isolation.test.ts', 'src/server/testing/contract/'];
const pageTests = readdirSync(at('e2e')).filter((name) => name.endsWith('.spec.ts'));

const prefix = 'tests-';
const dev = (run, command) =>
  spawnSync(process.execPath, [at('scripts/opensearch-dev.mjs'), command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      OPENSEARCH_HEAP: '1g',
      ...(values.selection && { OPENSEARCH_HEAP: '512m', OPENSEARCH_SHORT: '1' }),
      ...process.env,
      OPENSEARCH_RUN: run,
    },
  });

requireNode();
await ensureInstalled('all');
const given = process.env.OPENSEARCH_URL;
const { status, url } = given ? { status: 0, url: given } : startOwn();
if (status !== 0) process.exitCode = status;
else process.exitCode = values.selection ? await runSelection(url, values.selection) : await runAll(url);

/** A cluster that ends with this process, however that ends. */
function startOwn() {
  removeLeftovers();
  const run = path.join(cache, `${prefix}${process.pid}`);
  process.once('exit', () => remove(run));
  // Without a handler the process would be gone at once, and leave what it is starting.
  const end = () => process.exit(1);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
  const started = dev(run, 'start');
  for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, end);
  return { status: started.status ?? 1, url: started.stdout.trim() };
}

function remove(run) {
  dev(run, 'stop');
  rmSync(run, { recursive: true, force: true });
}

/** Of a run that was killed. */
function removeLeftovers() {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache))
    if (name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`))
      remove(path.join(cache, name));
}

async function runAll(url) {
  const env = { ...process.env, NODE_ENV: 'test', OPENSEARCH_URL: url };
  const run = (files, more) =>
    runCode(bin('vitest'), ['run', '--no-file-parallelism', ...files], { env: { ...env, ...more } });
  const own = await run(ownTests, {});
  const inCluster = { TEST_SEARCH_ENGINE: 'opensearch' };
  const others = await run([...sharedTests, ...contractTests], inCluster);
  await ensureBuilt();
  const pages = await runCode(bin('playwright'), ['test'], {
    env: { ...process.env, OPENSEARCH_URL: url, ...inCluster },
  });
  return own || others || pages;
}

async function runSelection(url, report) {
  const env = { ...process.env, NODE_ENV: 'test', OPENSEARCH_URL: url };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const chosen = ['--project', 'server', '-t', `^(${selection.join('|')})`, 'src/server/opensearch/'];
  const code = await runCode(bin('vitest'), ['run', '--no-file-parallelism', ...reporters, ...chosen], {
    env,
  });
  if (existsSync(report)) process.stdout.write(`\nOnly by npm run test:opensearch:\n${leftOut(report)}`);
  return code;
}

/** What of these files was not run, and which others need a cluster too. */
function leftOut(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const lines = testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter((result) => !['passed', 'failed'].includes(result.status));
    if (skipped.length === 0) return [];
    const isAll = skipped.length === assertionResults.length;
    const told = isAll
      ? ` all ${skipped.length}`
      : skipped.map(({ fullName }) => `\n    ${fullName}`).join('');
    return [`  ${path.relative(at(), name)}:${told}\n`];
  });
  const pages = pageTests.map((name) => `e2e/${name}`);
  const others = [...ownTests.slice(1), ...sharedTests, ...contractTests, ...pages].map(
    (file) => `  ${file}: all\n`,
  );
  return [...lines, ...others].join('');
}
