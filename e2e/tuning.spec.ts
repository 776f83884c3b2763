import { expect, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

const goods = [
  { id: 'tv', title: 'Flat tv' },
  { id: 'television', title: 'Wooden television' },
  { id: 'radio', title: 'Kitchen radio' },
];

test('a synonym is tried before it is saved, and a pin is written from the hits', async ({
  page,
  baseURL,
}) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  const id = await addCollection(page, baseURL ?? '', projectId, 'goods', goods);
  const watch = watchConsole(page);
  const found = async () => {
    const answer = await page.request.get(`/api/collections/${id}/search?q=tv`);
    return ((await answer.json()) as { hits: { id: string }[] }).hits.map((hit) => hit.id);
  };

  await page.goto(`/collections/${id}?tab=tuning&part=synonyms&by=keyword`);
  await page.getByRole('button', { name: 'Add synonym' }).click();
  await page.getByRole('textbox', { name: /Words and phrases/ }).fill('tv\ntelevision');
  const after = page.getByRole('list', { name: 'After: hits' });
  await expect(after.getByRole('listitem')).toHaveText([/Flat tv/, /Wooden television.*new/]);
  expect(await found()).toEqual(['tv']);
  await expectAccessible(page, 'a synonym and its preview');
  await page.getByRole('button', { name: 'Save synonym' }).click();
  await expect(page.getByText('tv = television')).toBeVisible();
  expect(await found()).toEqual(['tv', 'television']);

  await page.getByRole('searchbox', { name: 'Query to try' }).fill('tv');
  await page.getByRole('button', { name: 'Pin one higher: Wooden television' }).click();
  await expect(after.getByRole('listitem')).toHaveText([/Wooden television.*was #2/, /Flat tv.*was #1/]);
  await expectStateAccessible(page, 'an override and its preview');
  await page.getByRole('button', { name: 'Save override' }).click();
  await expect(page.getByText('1 pinned')).toBeVisible();
  expect(await found()).toEqual(['television', 'tv']);
  watch.expectQuiet();
});
