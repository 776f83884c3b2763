// `npm test`: everything that must hold, from a fresh clone. Every step runs even when one before it failed; the last lines name what failed and sum up.
// A few tests that failed have a second attempt by themselves; those that pass then are named too (docs/decisions/093-a-second-attempt-is-told.md).
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium } from './chromium.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { makeFolderInMemory } from './folder-in-memory.mjs';
import { at, bin, ensureBuilt, requireNode, runCode } from './freshness.mjs';
import {
  afterSecondAttempt,
  isCounterexample,
  readPlaywright,
  readVitest,
  tellTest,
} from './test-reports.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];
/** Tests by name, with what they failed with; the unsteady ones passed then. */
const told = { failures: [], unsteady: [] };
/** More than these have one cause, which a second attempt would meet too. */
const mostAttemptedAgain = 3;

/** A step counts its tests; one that breaks without saying how many failed counts as one that failed. */
async function step(name, action) {
  process.stdout.write(`\n── ${name}\n`);
  let counts;
  try {
    counts = await action();
  } catch (error) {
    process.stderr.write(`${error.stack ?? error}\n`);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  if (counts.failed > 0) failedSteps.push(`${name}: ${counts.failed}`);
  for (const key of Object.keys(total)) total[key] += counts[key];
  for (const key of Object.keys(told)) told[key].push(...(counts[key] ?? []));
}

/** Begins what a later step tells: what it prints goes to a file until then. */
function begin(action) {
  const log = path.join(reports, `${begun++}.log`);
  const file = openSync(log, 'w');
  const outcome = action({ stdio: ['ignore', file, file] }).then(
    (counts) => () => counts,
    (error) => () => {
      throw error;
    },
  );
  return async () => {
    const tell = await outcome;
    closeSync(file);
    process.stdout.write(readFileSync(log));
    return tell();
  };
}
let begun = 0;

const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 });

/** Runs a test runner that writes its report as JSON; a bad exit without a failed test is a failure too. */
async function runTests(command, args, { report, read, env, skipCode, ...options }) {
  // Under NODE_ENV=production React has no `act`.
  const code = await runCode(command, args, {
    env: { ...process.env, NODE_ENV: 'test', ...(inMemory && { TMPDIR: inMemory }), ...env },
    ...options,
  });
  if (code === skipCode) return { passed: 0, failed: 0, skipped: 1 };
  if (!existsSync(report)) return one(code === 0);
  const counts = read(JSON.parse(readFileSync(report, 'utf8')));
  if (code === 0 || counts.failed > 0) return counts;
  const message = `ended with ${code}, though no test failed: its lines are above`;
  return { ...counts, failed: 1, failures: [{ file: '', name: '', message }] };
}

async function testUnits() {
  const first = await runVitest('vitest.json', []);
  const { failures } = first;
  const isWorthIt =
    failures?.length > 0 &&
    failures.length === first.failed &&
    failures.length <= mostAttemptedAgain &&
    failures.every((test) => test.name !== '' && !isCounterexample(test));
  if (!isWorthIt) return first;
  process.stdout.write('\n── unit and integration: second attempt of what failed\n');
  // Whole files, for a test may build on those before it.
  const second = await runVitest('vitest-again.json', [...new Set(failures.map(({ file }) => file))]);
  return afterSecondAttempt(first, second);
}

function runVitest(name, files) {
  const report = path.join(reports, name);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return runTests(bin('vitest'), ['run', ...reporters, ...files], { report, read: readVitest });
}

async function testInBrowser(options) {
  const report = path.join(reports, 'playwright.json');
  const dataDir = await mkdtemp(path.join(inMemory ?? reports, 'e2e-'));
  const env = {
    CHROMIUM_PATH: await browser(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    E2E_DATA_DIR: dataDir,
  };
  const counts = await runTests(bin('playwright'), ['test', '--retries=1', '--reporter=list,json'], {
    ...options,
    report,
    env,
    read: readPlaywright,
  });
  if (counts.failed > 0) tellPages(path.join(dataDir, 'results'), options.stdio[1]);
  return counts;
}

/** A minute's worth of what needs a search cluster. Where none can be started that is said, and skipped. */
function testInCluster(options) {
  const report = path.join(reports, 'cluster.json');
  const args = [at('scripts/test-opensearch.mjs'), '--selection', report];
  return runTests(process.execPath, args, { ...options, report, read: readVitest, skipCode: 3 });
}

/** What stood on the pages of tests that failed: the files themselves are gone with the run. */
function tellPages(folder, output) {
  if (!existsSync(folder)) return;
  const told = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('error-context.md'));
  for (const name of told) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const page = text.slice(Math.max(0, text.indexOf('```yaml')));
    writeSync(output, `\n${name}\n${page.slice(0, 20_000)}\n`);
  }
}

requireNode();
const reports = await mkdtemp(path.join(tmpdir(), 'vectora-reports-'));
const inMemory = await makeFolderInMemory();
await step('install', async () => {
  await ensureInstalled('all');
  return { passed: 0, failed: 0, skipped: 0 };
});
/** Each reads the types it meets for itself: with two on two cores a third more work is done, in the same time. */
const checkers = String(Math.max(1, Math.floor(availableParallelism() / 2)));
/** None of these needs another. One after the other they leave half of the machine idle. */
const checks = {
  typecheck: begin(async (options) =>
    one((await runCode(bin('tsc'), ['-b', '--checkers', checkers], options)) === 0),
  ),
  lint: begin(async (options) =>
    one((await runCode(bin('biome'), ['check', '--error-on-warnings', '.'], options)) === 0),
  ),
  unused: begin(async (options) => one((await runCode(bin('knip'), [], options)) === 0)),
  build: begin(async (options) => {
    await ensureBuilt(undefined, options);
    return one(true);
  }),
};
const browser = begin(findChromium);
await step('build', checks.build);
/** Begun first and told last: both kinds of tests wait for others half of the time. */
const inBrowser = begin(testInBrowser);
const inCluster = begin(testInCluster);
for (const name of ['typecheck', 'lint', 'unused']) await step(name, checks[name]);
await step('unit and integration', testUnits);
await step('end to end', inBrowser);
await step('search cluster', inCluster);
for (const folder of [reports, inMemory]) if (folder) await rm(folder, { recursive: true, force: true });

const tell = (tests) => tests.map((test) => `${tellTest(test, at())}\n`).join('');
if (told.unsteady.length > 0)
  process.stdout.write(
    `\nFailed first, and passed in a second attempt; why is to be found:\n${tell(told.unsteady)}`,
  );
if (failedSteps.length > 0)
  process.stdout.write(`\nFailed: ${failedSteps.join('; ')}\n${tell(told.failures)}`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed > 0 ? 1 : 0);
