import { expect, test } from '@playwright/test';
import { watchConsole } from './console-watch.ts';

test('the reference at /api/docs shows each operation, with nothing from elsewhere', async ({
  page,
  baseURL,
}) => {
  const watch = watchConsole(page);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: /^Vectora/ })).toBeVisible();
  await page.locator('.opblock-tag', { hasText: 'Synonyms' }).click();
  const operation = page.locator('.opblock', { hasText: 'Add a synonym, or replace the one with its id' });
  await operation.getByRole('button').first().click();
  await expect(operation).toContainText('At most 2 MB with 20,000 values, unpacked');
  expect(foreign).toEqual([]);
  watch.expectQuiet();
});
