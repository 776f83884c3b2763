import { expect, test } from '@playwright/test';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

test('what changes elsewhere shows in every tab by itself, over one stream, also when the tab that has it closes', async ({
  page,
  context,
  baseURL,
}) => {
  const { projectId } = await startWithProject(page, String(baseURL));
  const watched = watchConsole(page);
  const streams: string[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/live') streams.push(request.url());
  });
  await page.goto('/collections');
  await expect(page.getByText('No collections yet')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/collections');
  await expect(other.getByText('No collections yet')).toBeVisible();

  await addCollection(page, String(baseURL), projectId, 'films');
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: 'films' })).toBeVisible();

  const before = streams.length;
  await page.close();
  await expect.poll(() => streams.length).toBeGreaterThan(before);
  await addCollection(other, String(baseURL), projectId, 'books', [{ title: 'Dune' }, { title: 'Emma' }]);
  await expect(other.getByRole('link', { name: 'books' })).toBeVisible();
  await expect(other.getByText('2', { exact: true })).toBeVisible();
  watched.expectQuiet();
});
