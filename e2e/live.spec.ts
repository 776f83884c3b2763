import { expect, test } from '@playwright/test';
import { addCollection, password, startWithProject } from './account.ts';
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

test('a session that is ended elsewhere asks to sign in over the page by itself, in every tab, and the stream goes on', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const { email, projectId } = await startWithProject(page, String(baseURL));
  await page.goto('/collections');
  await page.getByRole('button', { name: 'Create Collection' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create collection' });
  await form.getByLabel('Name').first().fill('typed before');
  const other = await context.newPage();
  await other.goto('/monitoring');
  await expect(other.getByRole('heading', { name: 'Monitoring', level: 1 })).toBeVisible();

  const device = await browser.newContext();
  const data = { email, password };
  await device.request.post(`${baseURL}/api/auth/login`, { data, headers: { Origin: String(baseURL) } });
  await device.request.delete(`${baseURL}/api/auth/sessions`, { headers: { Origin: String(baseURL) } });

  for (const tab of [page, other])
    await expect(tab.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password', { exact: true }).fill(password);
  await again.getByRole('button', { name: 'Sign In' }).click();
  for (const tab of [page, other])
    await expect(tab.getByRole('dialog', { name: 'Your session has ended' })).toBeHidden();
  await expect(form.getByLabel('Name').first()).toHaveValue('typed before');
  await form.getByRole('button', { name: 'Cancel' }).click();

  // What happens now is heard of again.
  await addCollection(page, String(baseURL), projectId, 'films');
  await expect(page.getByRole('link', { name: 'films' })).toBeVisible();
  await device.close();
});
