import { expect, test } from '@playwright/test';
import { addCollection, startWithProject } from './account.ts';
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

test('an operation can be tried as it stands with a key that is entered, in the dark and on a narrow screen', async ({
  page,
  baseURL: given,
}) => {
  const baseURL = given ?? '';
  const watch = watchConsole(page);
  const { projectId } = await startWithProject(page, baseURL);
  const film = { id: '1', title: 'Robots learning to love', year: 1999 };
  await addCollection(page, baseURL, projectId, 'films', [film]);
  const data = { name: 'Reference', projectId, permissions: ['read'] };
  const made = await page.request.post('/api/api-keys', { data, headers: { Origin: baseURL } });
  const { key } = (await made.json()) as { key: string };
  // The key alone has to do.
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/api/docs');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(28, 32, 34)');

  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.modal-ux');
  // Of three ways to show who one is the one that can be entered here.
  await expect(dialog.getByRole('textbox')).toHaveCount(1);
  await dialog.getByRole('textbox').fill(key);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.locator('.opblock-tag', { hasText: /^Search$/ }).click();
  const operation = page.locator('.opblock-post', { hasText: '/hybrid-search' });
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response');
  await expect(answer).toContainText('Robots learning to love');
  await expect(answer).toContainText('200');
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  watch.expectQuiet();
});
