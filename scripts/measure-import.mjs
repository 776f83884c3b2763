/**
 * What a tab needs while it checks a large file and imports it: the most that its scripts hold, garbage collected, and what its process takes.
 *
 *   node scripts/measure-import.mjs [--megabytes 1000] [--import]
 *
 * Without `--import` all rows are sent and checked and none is kept; they are of 4 KB, as a check looks at some hundred thousand of them. Exits 1 where the tab's scripts hold more than 150 MB, or rows of an import failed. Bytes, not times: it may
 * run on a busy machine.
 */
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openConsole } from './console-place.mjs';
import { residentMegabytes } from './load-tools.mjs';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '1000' }, import: { type: 'boolean', default: false } },
});
const megabyte = 1024 * 1024;
const heldMax = 150 * megabyte;
const waitMs = 2 * 60 * 60 * 1_000;

const folder = await mkdtemp(path.join(tmpdir(), 'vectora-import-'));
const file = path.join(folder, 'large.ndjson');
const rows = await writeLarge(file, Number(values.megabytes) * megabyte);
// Of words that nobody has written so often, an index takes five times what the file does.
const settings = values.import ? { INDEX_MEMORY_MB: '12288' } : {};
const place = await openConsole({ documents: 10, isJudged: false, settings });
const system = await place.browser.newBrowserCDPSession();
try {
  const context = await place.browser.newContext({ locale: 'en-US' });
  await context.addCookies([place.cookie]);
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(`${place.url}/collections`);
  await page.getByRole('button', { name: 'Upload Documents', exact: true }).click();
  await page.getByLabel('File with documents').setInputFiles(file);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the collection').waitFor();
  const before = await held(session);
  await dialog
    .getByRole('button', { name: values.import ? 'Import' : 'Check all rows', exact: true })
    .click();
  const done = values.import
    ? page.getByRole('region', { name: 'Imports' }).getByRole('link', { name: 'Search them now' })
    : dialog.getByText(/rows are good/);
  // Whichever comes first; a refusal is no result.
  const ended = done.or(page.getByRole('alert')).first();
  const most = await watch(session, ended);
  const refused = await page.getByRole('alert').allInnerTexts();
  if (refused.length > 0) throw new Error(refused.join(' '));
  const said = values.import
    ? await page.getByRole('region', { name: 'Imports' }).innerText()
    : await done.innerText();
  console.log(`${values.megabytes} MB, ${rows} rows: ${said.replaceAll('\n', ' ')}`);
  console.log(
    `held by the tab's scripts: ${inMb(before)} before, ${inMb(most.held)} at most; its process: ${inMb(most.process)}`,
  );
  if (most.held > heldMax || / failed/.test(said)) process.exitCode = 1;
} finally {
  await place.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Until `done` is there. */
async function watch(session, done) {
  const most = { held: 0, process: 0 };
  const ended = done.waitFor({ timeout: waitMs }).then(() => true);
  let isEnded = false;
  while (!isEnded) {
    most.held = Math.max(most.held, await held(session));
    most.process = Math.max(most.process, await largestRenderer());
    isEnded = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000, false))]);
  }
  return most;
}

/** In bytes, of what is reachable. */
async function held(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
}

/** Of this browser's renderers the largest, which is the tab's. */
async function largestRenderer() {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(0, ...renderers.map(({ id }) => residentMegabytes(id))) * megabyte;
}

async function writeLarge(name, bytes) {
  const text = 'a sentence of some words that stands for many others. '.repeat(72);
  const lines = Array.from({ length: 1_000 }, (_, row) => JSON.stringify({ title: `Row ${row}`, text }));
  const part = `${lines.join('\n')}\n`;
  const out = createWriteStream(name);
  let count = 0;
  for (let written = 0; written < bytes; written += part.length) {
    count += lines.length;
    if (!out.write(part)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return count;
}

function inMb(bytes) {
  return `${Math.round(bytes / megabyte)} MB`;
}
