import { execFileSync } from 'node:child_process';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';

/** The search page: what it shows at a glance, says of itself, and can be driven with. */

const words =
  'A robot that learns what it means to love a person goes on a long journey by night and meets others. ';
const films = Array.from({ length: 40 }, (_, i) => ({
  id: `film-${i}`,
  title: `Robot film ${i}`,
  plot: words.repeat(2 + (i % 3)),
  genre: i % 4 === 0 ? 'Noir' : 'Comedy',
  year: 1980 + i,
  in_colour: i % 2 === 0,
}));

let collection: number;
let projectId: number;
test.beforeEach(async ({ page, baseURL }) => {
  ({ projectId } = await startWithProject(page, baseURL ?? ''));
  collection = await addCollection(page, baseURL ?? '', projectId, 'films', films);
});

test('the first hit stands high, many are seen, and nothing shifts', async ({ page }) => {
  const watch = watchConsole(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) shifts.sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`/search?collection=${collection}&q=robot`);
  await expect(hits(page).first()).toContainText('Robot film');
  await expect(page.getByRole('complementary', { name: 'Narrow the results' })).toBeVisible();
  const boxes = await hits(page).evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().toJSON()),
  );
  expect(boxes[0]?.top).toBeLessThanOrEqual(260);
  const seen = boxes.filter(({ bottom }) => bottom <= 900).length;
  expect(seen).toBeGreaterThanOrEqual(5);
  expect(
    await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum),
  ).toBeLessThanOrEqual(0.02);
  await expect(page.getByRole('group', { name: 'Year' }).getByRole('slider')).toHaveCount(2);
  await page.getByRole('radiogroup', { name: 'In colour' }).getByText(/^Yes/).click();
  await expect(page).toHaveURL(/in_colour/);
  await expectAccessible(page, 'search with hits');
  watch.expectQuiet();
});

test('on a phone the first hit stands as high, and the names of the way to it can be read', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/search?collection=${collection}&q=robot`);
  const top = async () => (await hits(page).first().boundingBox())?.y;
  await expect.poll(top).toBeLessThanOrEqual(260);
  await expect(page.getByRole('button', { name: 'Where is my document?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy as' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeVisible();
  const crumb = page.getByRole('combobox', { name: 'Current collection' });
  await expect(crumb).toHaveValue('films');
  expect(await crumb.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test('by keyboard from the query to a hit, its sum, its document and back', async ({ page }) => {
  await page.goto(`/search?collection=${collection}&q=robot`);
  await expect(hits(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search query' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await expect(hits(page).nth(1).locator('[data-hit]')).toBeFocused();
  await page.keyboard.press('e');
  const why = page.getByRole('region', { name: 'What the score is made of' });
  await expect(why).toContainText('Below “Robot film');
  const part = async (name: string) =>
    Number(await why.getByRole('row', { name }).getByRole('cell').last().innerText());
  expect((await part('Words')) + (await part('Meaning'))).toBeCloseTo(await part('Score'), 2);
  await expectStateAccessible(page, 'search, a sum');
  await page.keyboard.press('e');
  await expect(why).toBeHidden();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Document' });
  await expect(panel).toContainText('film-');
  await expect(page).toHaveURL(/open=/);
  await expectAccessible(page, 'search, an open document');
  await page.reload();
  await expect(panel).toContainText('film-');
  await panel.getByRole('tab', { name: 'Similar' }).click();
  await panel.getByRole('list', { name: 'Similar documents' }).getByRole('button').first().click();
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/open=/);
});

test('hits are judged and pinned for a query, and each press is taken back by another', async ({ page }) => {
  const watch = watchConsole(page);
  const vote = (name: string, place: number) =>
    hits(page)
      .nth(place)
      .getByRole('button', { name: new RegExp(`^${name}`) });
  const expectPressed = (name: string, place: number, isPressed: boolean) =>
    expect(vote(name, place)).toHaveAttribute('aria-pressed', String(isPressed));
  const address = `/search?collection=${collection}&mode=keyword&q=robot`;
  await page.goto(address);
  await vote('Relevant:', 0).click();
  await expectPressed('Relevant:', 0, true);
  await expect(page.getByText('Judged relevant', { exact: true })).toBeAttached();
  await vote('Not relevant:', 1).press('Enter');
  await expectPressed('Not relevant:', 1, true);
  await expectStateAccessible(page, 'search, judged hits');
  // The judgement is the query's, however it is written.
  await page.goto(address.replace('robot', '%20ROBOT'));
  await expectPressed('Relevant:', 0, true);
  await expectPressed('Not relevant:', 1, true);
  await vote('Relevant:', 0).click();
  await expectPressed('Relevant:', 0, false);
  await vote('Relevant:', 1).click();
  await expectPressed('Not relevant:', 1, false);
  await expectPressed('Relevant:', 1, true);

  const last = (await hits(page).nth(7).getByRole('heading').innerText()).trim();
  await vote('Pin to the top:', 7).click();
  await expect(hits(page).first()).toContainText(last);
  await expectPressed('Pin to the top:', 0, true);
  await expectPressed('Relevant:', 0, true);
  await page.reload();
  await expectPressed('Pin to the top:', 0, true);
  // In one request: whoever leaves the page as soon as the hit has moved leaves nothing half done.
  const both = page.waitForRequest(/overrides\.\w+,judgements\.delete/);
  await vote('Pin to the top:', 0).click();
  await both;
  await expect(hits(page).first()).not.toContainText(last);
  await expectPressed('Pin to the top:', 0, false);
  await page.reload();
  // What was judged by hand stays; the pin has taken its own judgement along.
  await expectPressed('Relevant:', 1, true);
  await expect(hits(page).nth(7)).toContainText(last);
  await expectPressed('Relevant:', 7, false);
  watch.expectQuiet();
});

test('says that nothing fits, and where the time went', async ({ page }) => {
  await page.goto(`/search?collection=${collection}&q=${encodeURIComponent('qqqxyz')}`);
  await expect(page.getByText('Nothing fits “qqqxyz” well. These are only the closest:')).toBeVisible();
  await expectStateAccessible(page, 'search, nothing fits');
  await page.getByRole('button', { name: /time for each step/ }).click();
  const steps = page.getByRole('table', { name: 'Time for each step' });
  const ms = (await steps.getByRole('row').allInnerTexts()).map((row) =>
    Number(/([\d.]+) ms/.exec(row)?.[1]),
  );
  const together = ms.pop() ?? 0;
  expect(ms.reduce((sum, one) => sum + one, 0)).toBeCloseTo(together, 0);
});

test('finds out where a document was lost, and brings it in', async ({ page, baseURL }) => {
  const products = await addCollection(page, baseURL ?? '', projectId, 'products', catalogue);
  await page.goto(`/search?collection=${products}&q=camping&filter=${encodeURIComponent('price:<100')}`);
  await expect(hits(page).first()).toContainText('Camping stove');
  await page.getByRole('button', { name: 'Where is my document?' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id or title').fill('two-person tent');
  await dialog.getByRole('button', { name: 'Find it' }).click();
  await expect(dialog).toContainText('Lost at the filter');
  await expect(dialog.getByRole('list', { name: 'After' })).toContainText('Two-person tent (this one)');
  await expectStateAccessible(page, 'where is my document');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Two-person tent' }).first()).toBeVisible();
  await expect(page).not.toHaveURL(/price/);
});

test('marks the sentence that meaning has found', async ({ page, baseURL }) => {
  const products = await addCollection(page, baseURL ?? '', projectId, 'products', catalogue);
  await page.goto(
    `/search?collection=${products}&mode=vector&q=${encodeURIComponent('shoes for a wedding')}`,
  );
  await expect(hits(page).first()).toContainText('Oxford lace-ups');
  await expect(hits(page).first().getByTitle('The sentence nearest in meaning')).toHaveText(
    'Black leather footwear for formal evenings',
  );
  await hits(page).first().locator('[data-hit]').click();
  const panel = page.getByRole('dialog', { name: 'Document' });
  await expect(
    panel.getByText('Marked is what is nearest in meaning to “shoes for a wedding”.'),
  ).toBeVisible();
  await expect(panel.locator('mark')).toHaveText('Black leather footwear for formal evenings');
  await expectStateAccessible(page, 'search, a found document');
});

test('marks in a long document the sentence of the passage that meaning has found', async ({
  page,
  baseURL,
}) => {
  const said = 'Black leather footwear suits formal evenings.';
  const shelves = Array.from(
    { length: 90 },
    (_, i) => `Shelf ${i} of the camping department holds gas stoves, tents and lamps for the mountains.`,
  );
  const late = ['Guests of a wedding dress in style.', 'Lace-ups are polished before each ceremony.', said];
  // It is said early, too, among what is about something else.
  const text = [...shelves.slice(0, 5), said, ...shelves.slice(5), ...late].join(' ');
  const manual = { id: 'manual', title: 'Manual', text };
  const manuals = await addCollection(page, baseURL ?? '', projectId, 'manuals', [manual, ...catalogue]);
  const query = encodeURIComponent('shoes for a formal evening');
  await page.goto(`/search?collection=${manuals}&mode=vector&q=${query}&filter=id:manual`);
  await expect(hits(page).first().getByTitle('The sentence nearest in meaning')).toHaveText(said);
  await hits(page).first().locator('[data-hit]').click();
  const panel = page.getByRole('dialog', { name: 'Document' });
  await expect(panel.locator('mark')).toHaveText(said);
  await expect(panel.locator('mark')).toBeInViewport();
  await expect(panel.getByText('The passage that was found is marked more faintly.')).toBeVisible();
  await expect(panel.locator('span:has(+ mark)')).toHaveText(/polished before each ceremony\.\s*$/);
  await expectStateAccessible(page, 'search, a found passage');
});

test('each copied search runs and finds the same', async ({ page, baseURL }) => {
  await makeReadKey(page, baseURL);
  await page.goto(
    `/search?collection=${collection}&q=${encodeURIComponent(`o'clock "robot"`)}&filter=year:>1990`,
  );
  await expect(hits(page).first()).toBeVisible();
  const shown = await hits(page).first().locator('h2').innerText();
  const run: Record<string, (code: string) => string> = {
    curl: (code) => output('sh', ['-c', code]),
    JavaScript: (code) => output(process.execPath, ['--input-type=module', '-e', code]),
    Python: (code) => output('python3', ['-c', code]),
    InstantSearch: (code) =>
      output(process.execPath, ['--input-type=module', '-e', `${withoutImports(code)};${askingOnce}`]),
  };
  for (const [language, execute] of Object.entries(run)) {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: language }).click();
    await expect.poll(copied).not.toBe('nothing');
    await expect(page.getByText('It uses the read key “Website”.', { exact: true })).toBeVisible();
    const code = await copied();
    const answer = JSON.parse(execute(code)) as { hits: { document: { title: string } }[] };
    expect(answer.hits[0]?.document.title, language).toBe(shown);
  }
});

test('a copied page of InstantSearch finds the same, ticks and turns pages', async ({ page, baseURL }) => {
  const packages = process.env['INSTANTSEARCH_PACKAGES'];
  test.skip(!packages, 'INSTANTSEARCH_PACKAGES names no folder with instantsearch.js; test:long makes one');
  await makeReadKey(page, baseURL);
  await page.goto(
    `/search?collection=${collection}&mode=keyword&q=robot&facets=${encodeURIComponent('{"genre":["Noir"]}')}`,
  );
  await expect(hits(page).first()).toBeVisible();
  const shown = await hits(page).first().locator('h2').innerText();
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'InstantSearch' }).click();
  await expect(page.getByText('It uses the read key “Website”.', { exact: true })).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: packages ?? '' },
    bundle: true,
    write: false,
  });
  const places = ['searchbox', 'hits', 'facet-genre', 'pagination'];
  const elements = places.map((id) => `<div id="${id}"></div>`).join('');
  const html = `${elements}<script src="/instant-search.js"></script>`;
  await page.route('**/instant-search', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  const script = outputFiles[0]?.text ?? '';
  await page.route('**/instant-search.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  const watch = watchConsole(page);
  await page.goto('/instant-search');
  const items = page.locator('#hits li');
  await expect(items.first()).toHaveText(shown);
  await expect(items.first().locator('mark')).toHaveText('Robot');
  await expect(page.getByRole('checkbox', { name: 'Noir' })).toBeChecked();
  // The other values' counts are those without the tick.
  await page.getByRole('checkbox', { name: 'Noir' }).uncheck();
  await expect(page.locator('#facet-genre')).toContainText('Comedy');
  await page.getByRole('searchbox').fill('film');
  await expect(page.getByRole('link', { name: 'Page 2', exact: true })).toBeVisible();
  const first = await items.first().innerText();
  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(items.first()).not.toHaveText(first);
  watch.expectQuiet();
});

test('one query by words, by both and by meaning, the same document joined', async ({ page }) => {
  await page.goto(`/search?collection=${collection}&q=${encodeURIComponent('robot film')}`);
  await page.getByRole('radiogroup', { name: 'Search mode' }).getByText('Side by side').click();
  for (const mode of ['Keyword', 'Hybrid', 'Semantic'])
    await expect(page.getByRole('list', { name: `${mode} hits` }).getByRole('listitem')).toHaveCount(10);
  const first = page.getByRole('list', { name: 'Keyword hits' }).getByRole('button').first();
  await expect(first).toContainText('Robot film');
  await expect(first).toContainText(/Hybrid #\d+/);
  await expectStateAccessible(page, 'search, side by side');
  // At the end of the slider the hybrid list is the one of words.
  await page.getByRole('slider', { name: 'Weight of meaning against words' }).focus();
  await page.keyboard.press('Home');
  const titles = (mode: string) =>
    page
      .getByRole('list', { name: `${mode} hits` })
      .locator('button > span:first-child')
      .allInnerTexts();
  await expect.poll(async () => (await titles('Hybrid')).join()).toBe((await titles('Keyword')).join());
  await expect(page).toHaveURL(/alpha=0/);
});

test('what is typed is found before the address says it', async ({ page }) => {
  await page.goto(`/search?collection=${collection}&mode=keyword`);
  await expect(hits(page)).toHaveCount(10);
  const box = page.getByRole('searchbox', { name: 'Search query' });
  await box.fill('robot film 7');
  await expect(hits(page).first()).toContainText('Robot film 7');
  await expect(page).toHaveURL(/q=robot.film.7/);
  await page.goBack();
  await expect(box).toHaveValue('');
});

/** In place of InstantSearch.js, what it asks its search client first, and what it is answered; the whole of it is not installed. */
const askingOnce = `
function instantsearch({ indexName, searchClient, initialUiState }) {
  const { query } = initialUiState[indexName];
  const params = {
    facets: ['genre'], query, page: 0, maxValuesPerFacet: 10, tagFilters: '',
    highlightPreTag: '__ais-highlight__', highlightPostTag: '__/ais-highlight__',
  };
  return {
    addWidgets: () => {},
    start: async () => {
      const { results } = await searchClient.search([{ indexName, params }]);
      const [{ hits, nbHits, facets }] = results;
      const sum = Object.values(facets.genre).reduce((a, b) => a + b, 0);
      if (sum !== nbHits) throw new Error(sum + ' of ' + nbHits + ' are counted by genre');
      if (!hits[0]._highlightResult.title.value.startsWith('__ais-highlight__Robot__/')) throw new Error('no marks');
      console.log(JSON.stringify({ hits: hits.map((document) => ({ document })) }));
    },
  };
}
function hits() {}
function pagination() {}
function searchBox() {}`;
const withoutImports = (code: string) => code.replaceAll(/^import .*;$/gm, '');

async function makeReadKey(page: Page, baseURL: string | undefined): Promise<void> {
  const made = await page.request.post('/api/api-keys', {
    data: { name: 'Website', projectId, permissions: ['read'] },
    headers: { Origin: baseURL ?? '' },
  });
  expect(made.ok()).toBe(true);
}

function output(program: string, args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function hits(page: Page) {
  return page.getByRole('list', { name: 'Hits' }).locator('> li');
}
