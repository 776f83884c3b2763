import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

const goods = [
  { id: 'tv', title: 'Flat tv', price: 300 },
  { id: 'radio', title: 'Kitchen radio', price: 40 },
];

test('an alias is made and names the collection, and documents are exported', async ({ page, baseURL }) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  const id = await addCollection(page, baseURL ?? '', projectId, 'goods', goods);
  const watch = watchConsole(page);
  await page.goto(`/collections/${id}?tab=manage`);
  await page.getByRole('textbox', { name: 'Alias' }).fill('current');
  await page.getByRole('button', { name: 'Make alias' }).click();
  await expect(page.getByRole('button', { name: 'Delete alias current' })).toBeVisible();
  const answer = await page.request.get('/api/collections/current/search?q=radio');
  expect(await answer.json()).toMatchObject({ hits: [{ id: 'radio' }] });
  await expectAccessible(page, 'managing a collection');

  await page.getByLabel('Only what passes a filter').fill('price:>100');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export documents' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('goods.ndjson');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ id: 'tv', price: 300 });
  await expect(page.getByText(/^Saved: 1 document,/)).toBeVisible();

  // One that is under way is not ended by going elsewhere, and is told there.
  await page.route('**/documents/export', async (route) => {
    await page.getByRole('tab', { name: 'Schema' }).click();
    await expect(page.getByRole('button', { name: 'Export documents' })).toBeHidden();
    await route.continue();
  });
  await page.getByLabel('Only what passes a filter').fill('');
  const later = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export documents' }).click();
  expect((await readFile(await (await later).path(), 'utf8')).trim().split('\n')).toHaveLength(2);
  await expect(page.getByText('2 documents of goods', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Manage' }).click();
  await page.getByRole('button', { name: 'Rebuild the index' }).click();
  await expect(page.getByText('The index was made anew of 2 documents.')).toBeVisible();
  watch.expectQuiet();
});
