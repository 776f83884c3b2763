/**
 * What the console takes by the clock, in a Chromium with a processor so many times slower: the largest paint, shifts and bytes of each
 * page, what a key press in the search box takes to the next paint, and changes between pages whose code is there.
 *
 *   node scripts/measure-console.mjs [--slower 4] [--documents 1500]
 *
 * By the clock: measure on a quiet machine.
 */
import { parseArgs } from 'node:util';
import { openConsole, settle } from './console-place.mjs';
import { round, summary } from './load-tools.mjs';

const { values } = parseArgs({
  options: { slower: { type: 'string', default: '4' }, documents: { type: 'string', default: '1500' } },
});
const place = await openConsole({ documents: Number(values.documents) });
try {
  await measurePages();
  await measureTyping();
  await measureRouteChanges();
} finally {
  await place.close();
}

async function opened(path, isPublic = false) {
  const context = await place.browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (!isPublic) await context.addCookies([place.cookie]);
  const page = await context.newPage();
  // Who was here before, and has none of the code any more.
  if (!isPublic)
    await page.addInitScript(
      (id) => localStorage.setItem('selectedWorkspaceId', id),
      String(place.workspace),
    );
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slower) });
  await page.addInitScript(watchVitals);
  await page.goto(`${place.url}${path}`);
  await settle(page);
  return page;
}

/** Runs in the page. */
function watchVitals() {
  const vitals = { lcp: 0, cls: 0, interactions: [] };
  window.vitals = vitals;
  const watch = (type, each, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
      type,
      buffered: true,
      ...options,
    });
  watch('largest-contentful-paint', (entry) => {
    vitals.lcp = entry.startTime;
  });
  watch('layout-shift', (entry) => {
    if (!entry.hadRecentInput) vitals.cls += entry.value;
  });
  watch('event', (entry) => entry.interactionId && vitals.interactions.push(entry.duration), {
    durationThreshold: 16,
  });
}

async function measurePages() {
  process.stdout.write('page                 LCP ms    CLS   JS files  JS KB  CSS KB\n');
  for (const [name, path, isPublic] of [
    ['start', '/', true],
    ['login', '/login', true],
    ['dashboard', '/dashboard'],
    ['collections', '/collections'],
    ['project', `/projects/${place.project}`],
    ['search', '/search'],
    ['search with hits', `/search?q=robots&collection=${place.collections.films}`],
  ]) {
    const page = await opened(path, isPublic);
    const { lcp, cls, files } = await page.evaluate(() => ({
      ...window.vitals,
      files: performance
        .getEntriesByType('resource')
        .map(({ name: url, encodedBodySize }) => ({ url, bytes: encodedBodySize })),
    }));
    const of = (ending) => files.filter(({ url }) => new URL(url).pathname.endsWith(ending));
    const kilobytes = (ending) => round(of(ending).reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
    process.stdout.write(
      `${name.padEnd(18)} ${String(Math.round(lcp)).padStart(8)} ${cls.toFixed(3).padStart(6)} ${String(of('.js').length).padStart(9)} ${String(kilobytes('.js')).padStart(6)} ${String(kilobytes('.css')).padStart(7)}\n`,
    );
    await page.context().close();
  }
}

async function measureTyping() {
  const page = await opened(`/search?collection=${place.collections.films}`);
  await page.getByRole('searchbox').first().click();
  await page.keyboard.type('robots learning to love', { delay: 120 });
  await settle(page);
  const durations = await page.evaluate(() => window.vitals.interactions);
  process.stdout.write(`\na key press to the next paint, ms: ${JSON.stringify(summary(durations))}\n`);
  await page.context().close();
}

async function measureRouteChanges() {
  const page = await opened('/dashboard');
  const pages = ['Collections', 'All Projects', 'Vector Search', 'Dashboard'];
  const times = [];
  // The first round fetches the code of each page.
  for (let round_ = 0; round_ < 4; round_ += 1) {
    for (const label of pages) {
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: label, exact: true })
        .first();
      const before = await page.locator('h1').first().innerText();
      const startedAt = await page.evaluate(() => performance.now());
      await link.dispatchEvent('click');
      await page.waitForFunction((text) => document.querySelector('h1')?.textContent !== text, before, {
        polling: 'raf',
      });
      const endedAt = await page.evaluate(() => performance.now());
      if (round_ > 0) times.push(endedAt - startedAt);
    }
  }
  process.stdout.write(`from page to page, ms: ${JSON.stringify(summary(times))}\n`);
  await page.context().close();
}
