import { expect, test } from '@playwright/test';
import { expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

const films = Array.from({ length: 24 }, (_, i) => ({
  id: `film-${i}`,
  title: `Robot film ${i}`,
  genre: i % 4 === 0 ? 'Noir' : 'Comedy',
  year: 1980 + i,
}));

test('what was understood of a query stands as chips, which can be taken back', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  const { projectId } = await startWithProject(page, baseURL ?? '');
  const collection = await addCollection(page, baseURL ?? '', projectId, 'films', films);
  await page.goto(`/search?collection=${collection}`);
  await page.getByRole('searchbox', { name: 'Search query' }).fill('noir robot of the 1980s');
  const chips = page.getByRole('group', { name: 'What was understood' });
  await expect(chips).toContainText('genre: Noir');
  await expect(chips).toContainText('year: 1980 to 1989');
  const hits = page.locator('#search-results [data-hit]');
  await expect(hits).toHaveCount(3);
  await expectStateAccessible(page, 'a query that was understood');

  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1280, height: 900 });

  await chips
    .getByRole('button', { name: 'Search for the words “of the 1980s” instead of year: 1980 to 1989' })
    .press('Enter');
  await expect(page).toHaveURL(/skip=/);
  await expect(chips).toContainText('“of the 1980s” as words');
  await expect(chips).not.toContainText('year: 1980 to 1989');
  await expect(chips).toContainText('genre: Noir');
  await page.goBack();
  await expect(chips).toContainText('year: 1980 to 1989');
  await expect(hits).toHaveCount(3);
  watch.expectQuiet();
});
