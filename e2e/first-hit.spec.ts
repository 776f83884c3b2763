import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

const clicksMax = 5;

/** From nothing to hits, as a stranger with no file and no network does it. */
test('the first hit: sign up, load a sample, search', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  const host = new URL(baseURL ?? '').host;
  const outside: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.host !== host) outside.push(request.url());
  });
  const clicks = await countClicks(page);

  await page.goto('/register');
  const name = `newcomer-${Date.now()}`;
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel(/^Password/).fill('correct horse battery staple');
  await page.getByLabel(/^Confirm password/).fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await page.getByRole('button', { name: 'Load the sample Films' }).click();
  const dock = page.getByRole('region', { name: 'Imports' });
  await expect(dock.getByRole('progressbar', { name: 'Import of Films' })).toBeVisible();
  await dock.getByRole('link', { name: 'Search them now' }).click();

  const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
  await expect(hits.first()).toContainText(/robot/i);
  await expect(page.getByRole('checkbox').first()).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(clicksMax);
  expect(outside).toEqual([]);
  watch.expectQuiet();
});

test('samples are offered on every empty page, and the first steps tick themselves', async ({
  page,
  baseURL,
}) => {
  const place = await startWithProject(page, baseURL ?? '');
  for (const address of ['/collections', '/search', `/projects/${place.projectId}`]) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Load the sample Products' })).toBeVisible();
    await expectStateAccessible(page, `${address}, empty`);
  }
  await page.goto('/dashboard');
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toContainText('0 of 5 done');
  await expectStateAccessible(page, 'dashboard, first steps');
  await steps.getByRole('button', { name: 'Load the sample Products' }).click();
  const dock = page.getByRole('region', { name: 'Imports' });
  await expect(dock).toContainText('63 documents are in');
  await expect(steps).toContainText('1 of 5 done');
  await expectAccessible(page, 'dashboard, sample loaded');
  await steps.getByRole('button', { name: 'Put the first steps away' }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Recent Collections' })).toBeVisible();
  await expect(steps).toBeHidden();
});

test('nothing asks for what cannot be made on the spot', async ({ page, baseURL }) => {
  await startWithProject(page, baseURL ?? '');
  await page.goto('/collections');
  await page.getByRole('main').getByRole('button', { name: 'Create Collection' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('books');
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: 'New project…' }).click();
  await dialog.getByLabel('Name of the new project').fill('Library');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toHaveValue('Library');
  // What was typed before is still there.
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('books');
  await dialog.getByRole('button', { name: 'Create collection' }).click();
  await expect(page.getByRole('link', { name: 'books' })).toBeVisible();
});

test('a file dropped on any page becomes a collection', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  await startWithProject(page, baseURL ?? '');
  await page.goto('/projects');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const table = 'SKU;Titel;Preis\nA1;Lamp, small;3.50\nA2;Chair;20\nA3;Table;n/a\n';
  await dropFiles(page, ['Möbel (2).csv', gzipSync(table)]);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name of the collection')).toHaveValue('möbel-2');
  await expect(dialog.getByLabel('Field of the column SKU')).toHaveValue('id');
  await expect(dialog.getByLabel('Field of the column Titel')).toHaveValue('title');
  await expect(dialog.getByRole('region', { name: 'First rows' })).toContainText('Lamp, small');
  await dialog.getByRole('combobox', { name: 'Type of the column Preis' }).click();
  await page.getByRole('option', { name: 'number', exact: true }).click();
  await expectAccessible(page, 'import of a table');
  await dialog.getByRole('button', { name: 'Import 3 documents' }).click();
  const dock = page.getByRole('region', { name: 'Imports' });
  await expect(dock).toContainText('2 in, 1 failed');
  await dock.getByRole('button', { name: 'Mend the failed row' }).click();
  await expect(dialog.getByLabel('Preis of row 3')).toHaveAttribute('aria-invalid', 'true');
  await expectStateAccessible(page, 'mend rows of a table');
  await dialog.getByLabel('Preis of row 3').fill('80');
  await dialog.getByRole('button', { name: 'Send 1 row again' }).click();
  await expect(dock).toContainText('1 document is in');
  watch.expectQuiet();
});

test('documents wrapped in an object are found, and pasted rows are read', async ({ page, baseURL }) => {
  await startWithProject(page, baseURL ?? '');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await dropFiles(
    page,
    ['export.json', JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], total: 2 })],
    ['second.ndjson', '{"id":"c"}\n'],
    ['third.ndjson', '{"id":"d"}\n'],
  );
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('2 more files come after this one.')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'What is imported' })).toHaveValue(
    '2 documents under “data”',
  );
  await dialog.getByRole('button', { name: 'Import 2 documents' }).click();
  const dock = page.getByRole('region', { name: 'Imports' });
  // The next one is proposed at once, and whoever has enough leaves out the rest.
  await expect(dialog.getByLabel('Name of the collection')).toHaveValue('second');
  await dialog.getByRole('button', { name: 'Leave out the other' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(dock).toContainText('2 documents are in');

  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'name\tprice\nLamp\t3\nChair\t20');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await expect(dialog.getByText('Table with tabs')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'First rows' })).toContainText('Chair');
});

test('an import is seen in another tab and after a reload', async ({ page, baseURL, context }) => {
  await startWithProject(page, baseURL ?? '');
  await page.goto('/dashboard');
  const other = await context.newPage();
  await other.goto('/projects');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Load the sample Artworks' }).click();
  const inOther = other.getByRole('region', { name: 'Imports' });
  await expect(inOther).toContainText('Artworks');
  await page.reload();
  const dock = page.getByRole('region', { name: 'Imports' });
  await expect(dock).toContainText(/of 8,000 documents/);
  await dock.getByRole('button', { name: 'Cancel the import of Artworks' }).click();
  await expect(inOther).toBeHidden();
});

/** Once somebody takes it: what listens for files is fetched after the page is painted. A second one would begin the dialog anew. */
async function dropFiles(page: Page, ...files: [name: string, content: string | Buffer][]): Promise<void> {
  const packed = files.map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const);
  await expect.poll(() => page.evaluate(dispatchDrop, packed)).toBe('taken');
  await expect(page.getByRole('dialog')).toBeVisible();
}

function dispatchDrop(files: (readonly [name: string, base64: string])[]): 'taken' | 'ignored' {
  const dataTransfer = new DataTransfer();
  for (const [name, base64] of files) {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name));
  }
  const isLeft = ['dragenter', 'dragover', 'drop'].map((type) =>
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
  );
  return isLeft.at(-1) ? 'ignored' : 'taken';
}

/** How often the mouse was pressed on any page since. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  let count = 0;
  await page.exposeFunction('noteClick', () => {
    count += 1;
  });
  await page.addInitScript(() => {
    const note = () => (window as unknown as { noteClick: () => void }).noteClick();
    window.addEventListener('pointerdown', note, { capture: true });
  });
  return async () => count;
}
