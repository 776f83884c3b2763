import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** Live Events, from none at all to many. Each step names the sentence that it proves. */
test('live events: what is asked shows within a second, is narrowed, paused, exported, opened and sent again', async ({
  page,
  baseURL,
}) => {
  const origin = String(baseURL);
  const { projectId } = await startWithProject(page, origin);
  const watched = watchConsole(page);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  const rowOf = (words: string) => rows.filter({ hasText: words });

  await test.step('the sidebar leads there; without a collection it says what is missing', async () => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Live Events' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Live Events' })).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });

  const documents = ['star wars', 'star trek', 'alien'].map((title, i) => ({ id: `d${i}`, title }));
  const collection = await addCollection(page, origin, projectId, 'films', documents);
  const key = await makeKey(page, origin, projectId);
  const search = (q: string) =>
    page.request.get(`/api/collections/films/search?q=${q}`, { headers: { 'X-API-Key': key } });

  await test.step('an event shows by itself: type, words, collection, key by name, hits, status, time', async () => {
    const answer = await search('star');
    const row = rowOf('star');
    await expect(row).toContainText(String(answer.headers()['x-request-id']).slice(0, 8));
    await expect(row).toContainText('search');
    for (const words of ['Keyword search', 'films', 'live key', '2', 'success 200', 'ms'])
      await expect(row).toContainText(words);
    await expect(rowOf('Import documents')).toContainText('insert');
  });

  await test.step('filterable by type; the filter is the address', async () => {
    await page.getByText('Insert', { exact: true }).click();
    await expect(page).toHaveURL(/type=insert/);
    await expect(rowOf('Keyword search')).toHaveCount(0);
    await page.reload();
    await expect(rowOf('Import documents')).toBeVisible();
    await page.goto('/events');
  });

  await test.step('no column is cut off, however wide the screen is', async () => {
    const wide = page.viewportSize() ?? { width: 1280, height: 720 };
    for (const width of [320, 390, 1000, 1210, wide.width, 1350, 1440]) {
      await page.setViewportSize({ ...wide, width });
      const cut = await rows.first().evaluate((row) => {
        const { right } = row.getBoundingClientRect();
        const cells = [...row.children].filter((cell) => cell.checkVisibility());
        return cells
          .filter((cell) => cell.getBoundingClientRect().right > right)
          .map((cell) => cell.className);
      });
      expect(cut, `${width} px`).toEqual([]);
    }
    await page.setViewportSize(wide);
  });

  await test.step('badges: what is refused is a warning', async () => {
    await search('star&filter_by=year:>');
    await expect(page.getByText('warning 400')).toBeVisible();
  });

  await test.step('searches without results are one click away', async () => {
    await search('zzzz');
    await expect(rowOf('zzzz')).toBeVisible();
    await page.getByRole('region', { name: 'Searches without results' }).getByRole('button').click();
    await expect(page).toHaveURL(/results=none/);
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rowOf('alien')).toHaveCount(0);
  });

  await test.step('pause counts what was missed, resume shows it without a gap', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    for (const word of ['one', 'two', 'three']) await search(word);
    await expect(page.getByText('Paused · 3 new')).toBeVisible();
    await expect(rowOf('three')).toHaveCount(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    for (const word of ['one', 'two', 'three']) await expect(rowOf(word)).toBeVisible();
  });

  await test.step('export saves what is shown', async () => {
    await page.goto('/events?type=search&q=star');
    await expect(rowOf('star').first()).toBeVisible();
    const csv = await exported(page, 'As CSV');
    expect(csv.split('\r\n')[0]).toContain('time,type,operation,status');
    expect(csv).toContain('star');
    expect(csv).not.toContain('zzzz');
    expect(csv).not.toContain(key);
    const json = JSON.parse(await exported(page, 'As JSON')) as { key: string }[];
    expect(json.map((event) => event.key)).toContain('live key');
    await page.goto('/events');
  });

  await test.step('an event opens with what was sent; replayed, the answer is compared with the one that there was', async () => {
    await rowOf('star').last().getByRole('link').click();
    const panel = page.getByRole('dialog');
    await expect(panel.getByText('API key live key')).toBeVisible();
    await expect(panel.getByText('"q": "star"')).toBeVisible();
    await panel.getByRole('button', { name: 'Replay' }).click();
    await expect(panel.getByText('The answer is the same as it was.')).toBeVisible();
    await page.request.delete('/api/collections/films/documents/d0', { headers: { 'X-API-Key': key } });
    await page.request.post('/api/collections/films/documents', {
      data: { id: 'd9', title: 'star' },
      headers: { 'X-API-Key': key },
    });
    await panel.getByRole('button', { name: 'Replay again' }).click();
    await expect(panel.getByRole('row', { name: /d9 – #1.* new/ })).toBeVisible();
    await expect(panel.getByRole('row', { name: /d0 #\d.* – gone/ })).toBeVisible();
    await expectAccessible(page, 'an event with its replay');
    const link = panel.getByRole('link', { name: 'Open in Search' });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`collection=${collection}`));
    await page.reload();
    await expect(panel.getByText('"q": "star"')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).not.toHaveURL(/event=/);
  });

  await test.step('a change is not sent again, and says so', async () => {
    await rowOf('Delete a document').getByRole('link').click();
    await expect(page.getByText('It changes something, so it is not sent again from here.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('of many events those in sight are on the page, and older ones come as one scrolls to them', async () => {
    for (let i = 0; i < 12; i += 1)
      await Promise.all(Array.from({ length: 10 }, (_, j) => search(`word-${10 * i + j}`)));
    await page.goto('/events');
    await expect(rowOf('word-')).not.toHaveCount(0);
    expect(await rows.count()).toBeLessThan(60);
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect(rowOf('Create a collection')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    expect(await rows.count()).toBeLessThan(60);
    await expect(page.getByText(/^\d+ events\. The last 10,000 are kept, for 7 days\.$/)).toBeVisible();
  });

  await test.step('loading, empty and failed; accessible in both schemes at every width', async () => {
    await expectAccessible(page, 'live events');
    await page.goto('/events?q=nobody-asked-this');
    await expect(page.getByText('No events found')).toBeVisible();
    await expectStateAccessible(page, 'no events found');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rowOf('word-').first()).toBeVisible();
    watched.expectQuiet();
    await page.route('**/trpc/**requests.recent**', (route) => route.abort());
    await page.goto('/events?q=x');
    await expect(page.getByText('Failed to fetch events')).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeHidden();
    await page.unroute('**/trpc/**requests.recent**');
    // The console asks again by itself once the server answers.
    await expect(page.getByText('No events found')).toBeVisible();
  });
});

async function makeKey(page: Page, origin: string, projectId: number): Promise<string> {
  const data = { name: 'live key', projectId, permissions: ['read', 'write'] };
  const answer = await page.request.post('/api/api-keys', { data, headers: { Origin: origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { key: string }).key;
}

async function exported(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  return await readFile(await (await saved).path(), 'utf8');
}
