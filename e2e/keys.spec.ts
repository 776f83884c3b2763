import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** The keys of a project: rotated with grace, counted, deleted and brought back, and which of them stands in code. */

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
const toast = (page: Page) => page.getByRole('region', { name: 'Notification' });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function start(page: Page, baseURL: string) {
  const { projectId } = await startWithProject(page, baseURL);
  const films = await addCollection(page, baseURL, projectId, 'films', [{ id: '1', title: 'Metropolis' }]);
  const make = async (name: string, permissions: string[]) => {
    const data = { name, projectId, permissions };
    const made = await page.request.post('/api/api-keys', { data, headers: { Origin: baseURL } });
    return ((await made.json()) as { key: string }).key;
  };
  const server = await make('Server', ['read', 'write']);
  const website = await make('Website', ['read']);
  const path = `/projects/${projectId}?tab=api-keys`;
  const statusWith = async (key: string) => {
    const headers = { 'X-API-Key': key, Cookie: '' };
    return (
      await page.request.get(`/api/collections/${films}/search?query=metropolis`, { headers })
    ).status();
  };
  return { path, server, website, statusWith };
}

test('a key is rotated: the former value goes on until it is ended', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  const { path, website, statusWith } = await start(page, baseURL ?? '');
  expect(await statusWith(website)).toBe(200);
  await page.goto(path);
  await expect(row(page, 'Website').getByRole('cell').nth(3)).toHaveText('1');
  await expect(row(page, 'Server').getByRole('cell').nth(3)).toHaveText('0');
  await expectAccessible(page, 'keys');

  const rotated = await test.step('by keyboard, for a day', async () => {
    await page.getByRole('button', { name: 'Rotate Website' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rotate Website' });
    await expect(dialog).toContainText('It sent 1 request in the last 24 hours.');
    await expect(dialog.getByRole('combobox', { name: 'The present value goes on' })).toHaveValue(
      'For a day',
    );
    await expectStateAccessible(page, 'keys, rotating');
    await dialog.getByRole('button', { name: 'Rotate API key' }).press('Enter');
    const value = dialog.getByRole('textbox', { name: 'New value' });
    await expect(value).toBeFocused();
    const key = await value.inputValue();
    expect([await statusWith(website), await statusWith(key)]).toEqual([200, 200]);
    await dialog.getByRole('button', { name: 'Copy the new value' }).click();
    await expect.poll(() => copied(page)).toBe(key);
    await expectStateAccessible(page, 'keys, rotated');
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(dialog).toBeHidden();
    return key;
  });

  await test.step('the row says until when the former value works, and ends it', async () => {
    await page.reload();
    const line = row(page, 'Website');
    await expect(line).toContainText(`The former value, …${website.slice(-4)}, works until`);
    await expect(line.getByRole('cell').nth(3)).toHaveText('3');
    await expectAccessible(page, 'keys, two values');
    await page.getByRole('button', { name: 'Rotate Website' }).click();
    const again = page.getByRole('dialog', { name: 'Rotate Website' });
    await expect(again.getByRole('alert')).toContainText('End that first');
    await expect(again.getByRole('button', { name: 'Rotate API key' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await line.getByRole('button', { name: 'End it now' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'End the former value' });
    await expectStateAccessible(page, 'keys, ending the former value');
    await dialog.getByRole('button', { name: 'End it now' }).click();
    await expect(toast(page).getByText('Former value ended')).toBeVisible();
    await expect(line.getByText('The former value')).toHaveCount(0);
    expect([await statusWith(website), await statusWith(rotated)]).toEqual([401, 200]);
  });

  await test.step('for a key that has leaked it ends at once', async () => {
    await page.getByRole('button', { name: 'Rotate Website' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate Website' });
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Not at all: it ends at once' }).click();
    await dialog.getByRole('button', { name: 'Rotate API key' }).click();
    await expect(dialog.getByText('The former one is refused from now on.')).toBeVisible();
    expect(await statusWith(rotated)).toBe(401);
    expect(await statusWith(await dialog.getByRole('textbox', { name: 'New value' }).inputValue())).toBe(200);
  });
  watch.expectQuiet();
});

test('a deleted key stops at once, and Undo brings it back with the same value', async ({
  page,
  baseURL,
}) => {
  const watch = watchConsole(page);
  const { path, server, website, statusWith } = await start(page, baseURL ?? '');
  expect(await statusWith(website)).toBe(200);
  await page.goto(path);
  await expect(row(page, 'Website').getByRole('cell').nth(3)).toHaveText('1');

  await test.step('one that is not in use is not asked about', async () => {
    await page.getByRole('button', { name: 'Delete Server' }).press('Enter');
    await expect(toast(page).getByText('API key deleted')).toBeVisible();
    await expect(row(page, 'Server')).toHaveCount(0);
    expect(await statusWith(server)).toBe(401);
    await expectStateAccessible(page, 'keys, one deleted');
    await page.keyboard.press('F8');
    await toast(page).getByRole('button', { name: /Undo/ }).press('Enter');
    await expect(toast(page).getByText('API key restored')).toBeVisible();
    await expect(row(page, 'Server')).toBeVisible();
    expect(await statusWith(server)).toBe(200);
  });

  await test.step('one that is in use is asked about, with how much', async () => {
    await page.getByRole('button', { name: 'Delete Website' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete API key' });
    await expect(dialog).toContainText('it sent 1 request in the last 24 hours');
    await expectStateAccessible(page, 'keys, deleting');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    expect(await statusWith(website)).toBe(200);
    await page.getByRole('button', { name: 'Delete Website' }).click();
    await dialog.getByRole('button', { name: 'Delete API key' }).click();
    await expect(row(page, 'Website')).toHaveCount(0);
    expect(await statusWith(website)).toBe(401);
    await toast(page).getByRole('button', { name: /Undo/ }).click();
    await expect(row(page, 'Website')).toBeVisible();
    await expect(dialog).toBeHidden();
    expect(await statusWith(website)).toBe(200);
  });
  watch.expectQuiet();
});

test('code holds a key that may only read, and one that writes when it is asked for', async ({
  page,
  baseURL,
}) => {
  const { path, server, website } = await start(page, baseURL ?? '');
  await page.goto(path);
  const snippet = page.getByRole('region', { name: 'Search films with the key Website' });
  await snippet.getByRole('button', { name: 'Copy command' }).click();
  await expect.poll(() => copied(page)).toContain(`X-API-Key: ${website}`);
  await snippet
    .getByRole('combobox', { name: 'API key in the code' })
    .selectOption('Server (read and write)');
  const other = page.getByRole('region', { name: 'Search films with the key Server' });
  await other.getByRole('button', { name: 'Copy command' }).click();
  await expect.poll(() => copied(page)).toContain(`X-API-Key: ${server}`);

  await page.goto('/search?q=metropolis');
  await page.getByRole('button', { name: 'Copy as' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Website (read)' })).toBeChecked();
  await expectStateAccessible(page, 'search, copy as');
  await page.getByRole('menuitemradio', { name: 'Server (read and write)' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await expect.poll(() => copied(page)).toContain(`X-API-Key: ${server}`);
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitemradio', { name: /^None/ }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await expect.poll(() => copied(page)).toContain('X-API-Key: YOUR_API_KEY');
});

test('on a phone nothing of it is wider than the screen', async ({ page, baseURL }) => {
  const { path } = await start(page, baseURL ?? '');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(path);
  const expectNarrow = async (what: string) => {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, what).toBeLessThanOrEqual(0);
  };
  await expect(row(page, 'Website')).toBeVisible();
  await expectNarrow('the list');
  await page.getByRole('button', { name: 'Rotate Website' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate Website' });
  await dialog.getByRole('button', { name: 'Rotate API key' }).click();
  await expect(dialog.getByRole('textbox', { name: 'New value' })).toBeVisible();
  await expectNarrow('the new value');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(row(page, 'Website')).toContainText('The former value');
  await expectNarrow('two values');
});
