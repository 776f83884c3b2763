import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { catalogue, catalogueFile } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';

/** What a stranger does on the first day, in order; each step starts where the last one ended. */
test('from signing up to a search over REST', async ({ page, request, baseURL }) => {
  const watch = watchConsole(page);
  const name = `Ada ${Date.now()}`;

  await test.step('the start page searches', async () => {
    await page.goto('/');
    await expectAccessible(page, 'landing');
    await page.getByPlaceholder('Search for products').fill('something to keep me warm');
    await expect(page.getByRole('status').filter({ hasText: 'best hits' })).toBeVisible();
    await expect(
      page.getByRole('heading', { level: 2, name: /sweater|coat|blanket|sleeping bag/i }),
    ).not.toHaveCount(0);
    await expectStateAccessible(page, 'landing with results');
  });

  await test.step('the start page answers by words, by meaning and by both', async () => {
    const comparison = page.getByRole('region', { name: 'By words, by meaning, or both' });
    await comparison.scrollIntoViewIfNeeded();
    await comparison.getByRole('searchbox', { name: 'Compare by' }).fill('lamp');
    await expect(comparison.getByRole('status')).toContainText('Three searches in');
    const first = (label: string) =>
      comparison
        .getByRole('list', { name: `${label} hits` })
        .getByRole('listitem')
        .first();
    const weight = comparison.getByRole('slider', { name: 'Weight of meaning against words' });
    await weight.press('End');
    // Each row says where the same product stands beside it.
    await expect(first('Hybrid')).toContainText('Semantic #1');
    await weight.press('Home');
    await expect(first('Hybrid')).toContainText('Keyword #1');
    await comparison.getByRole('searchbox', { name: 'Compare by' }).fill('mortgage rates');
    await expect(comparison.getByRole('status')).toContainText('Nothing in this shop fits');
    await expectStateAccessible(page, 'landing with a comparison');
  });

  await test.step('sign up', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await expectAccessible(page, 'register');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email').fill(`ada-${Date.now()}@example.com`);
    await page.getByLabel('Username').fill(`ada-${Date.now()}`);
    await page.getByLabel(/^Password/).fill('correct horse battery staple');
    await page.getByLabel(/^Confirm password/).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expectAccessible(page, 'dashboard, empty');
  });

  await test.step('create a workspace', async () => {
    await openFromCreateMenu(page, 'New Workspace');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await expectStateAccessible(page, 'create workspace');
    await dialog.getByRole('button', { name: /create/i }).click();
    await expect(page.getByText('Workspace created', { exact: true })).toBeVisible();
  });

  await test.step('create a project in it', async () => {
    await page.getByRole('link', { name: 'All Projects' }).first().click();
    await expect(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue(name);
    await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
    await expectStateAccessible(page, 'projects, empty');
    await page.getByRole('main').getByRole('button', { name: 'New Project' }).first().click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toBeVisible();
    await expectStateAccessible(page, 'create project');
    await dialog.getByLabel('Name').fill('Online shop');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await expect(page.getByText('Project created', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Online shop' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Online shop' })).toBeVisible();
    await expectStateAccessible(page, 'project, empty');
  });

  await test.step('create a collection', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Create Collection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('products');
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByLabel('Name of field 1').fill('price');
    await dialog.getByLabel('Type of field 1').click();
    await page.getByRole('option', { name: 'number' }).click();
    await expectAccessible(page, 'create collection');
    await dialog.getByRole('button', { name: 'Create collection' }).click();
    await expect(page.getByText('Collection created', { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /products/ })).toBeVisible();
  });

  await test.step('upload a file', async () => {
    await page.getByRole('link', { name: 'Collections' }).first().click();
    await expect(page.getByRole('link', { name: 'products' })).toBeVisible();
    await expectAccessible(page, 'collections');
    await page.getByRole('button', { name: 'Upload documents to products' }).click();
    await page.getByLabel('File with documents').setInputFiles(catalogueFile);
    await expect(page.getByRole('region', { name: 'First rows' })).toContainText(catalogue[0]?.name ?? '');
    await expectAccessible(page, 'import');
    await page.getByRole('button', { name: /^Import \d+ documents$/ }).click();
    const dock = page.getByRole('region', { name: 'Imports' });
    await expect(dock).toContainText(`${catalogue.length} in, 1 failed`);
    await expectStateAccessible(page, 'import, done');
    await dock.getByRole('button', { name: 'Mend the failed row' }).click();
    await expect(page.getByRole('textbox', { name: 'Text of row 6' })).toHaveValue(/broken/);
    await expectAccessible(page, 'mend failed rows');
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await dock.getByRole('button', { name: 'Dismiss catalogue.ndjson' }).click();
    await expect(dock).toBeHidden();
  });

  await test.step('search by word and by meaning', async () => {
    await page.getByRole('link', { name: 'Vector Search' }).first().click();
    await expect(page.getByRole('heading', { name: 'Search Tips' })).toBeVisible();
    await expectStateAccessible(page, 'search, before a query');
    const box = page.getByRole('searchbox', { name: 'Search query' });
    await chooseMode(page, 'Keyword');
    await box.fill('kettle');
    await expect(firstHit(page)).toContainText('Gooseneck kettle');
    await expect(firstHit(page).locator('mark').first()).toHaveText(/kettle/i);
    await chooseMode(page, 'Semantic');
    await box.fill('shoes for a wedding');
    await expect(firstHit(page)).toContainText('Oxford lace-ups');
    await expect(firstHit(page)).toContainText(/Score \d\.\d{3}/);
    await expectAccessible(page, 'search, all collections');
  });

  await test.step('narrow, filter, and share the address', async () => {
    await page.getByRole('combobox', { name: 'Collection', exact: true }).click();
    await page.getByRole('option', { name: 'products' }).click();
    await chooseMode(page, 'Hybrid');
    await page.getByRole('searchbox', { name: 'Search query' }).fill('camping');
    await page.getByRole('checkbox', { name: 'Outdoor' }).click();
    await expect(page.getByRole('checkbox', { name: 'Outdoor' })).toBeChecked();
    await expect(hits(page)).toHaveCount(2);
    await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('price:<100');
    await expect(hits(page)).toHaveCount(1);
    await expect(firstHit(page)).toContainText('Camping stove');
    await expectStateAccessible(page, 'search, narrowed');
    await page.reload();
    await expect(firstHit(page)).toContainText('Camping stove');
    await expect(page.getByRole('checkbox', { name: 'Outdoor' })).toBeChecked();
  });

  const key = await test.step('create a key', async () => {
    await page.getByRole('link', { name: 'All Projects' }).first().click();
    await page.getByRole('link', { name: 'Online shop' }).click();
    await page.getByRole('tab', { name: 'API Keys' }).click();
    await page.getByRole('button', { name: 'Create API Key' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await expect(name).toBeVisible();
    await expectStateAccessible(page, 'create key');
    await name.fill('Website');
    await page.keyboard.press('Enter');
    await expect(page.getByText('API key created', { exact: true })).toBeVisible();
    const row = page.getByRole('row', { name: /Website/ });
    await expect(row.getByRole('code')).toHaveText(/^•{32}.{4}$/);
    await row.getByRole('button', { name: 'Reveal API key Website' }).click();
    await expect(row.getByRole('code')).toHaveText(/^vk_/);
    await expectAccessible(page, 'project, keys');
    return await row.getByRole('code').innerText();
  });

  await test.step('the same search over REST with that key', async () => {
    const response = await request.get(`${baseURL}/api/collections/products/vector-search`, {
      params: { query: 'shoes for a wedding' },
      headers: { 'X-API-Key': key, Cookie: '' },
    });
    expect(response.status()).toBe(200);
    const answer = (await response.json()) as { hits: { id: string }[] };
    expect(answer.hits[0]?.id).toBe('oxford');
  });

  await test.step('leave', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect(page.getByRole('main').getByText('products', { exact: true }).first()).toBeVisible();
    await expectAccessible(page, 'dashboard');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expectAccessible(page, 'login');
    await page.goto('/projects');
    await expect(page).toHaveURL(/\/\?redirect=/);
  });
  watch.expectQuiet();
});

async function openFromCreateMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseMode(page: Page, label: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Search mode' }).getByText(label).click();
}

function hits(page: Page) {
  return page.getByRole('list', { name: 'Hits' }).locator('> li');
}

function firstHit(page: Page) {
  return hits(page).first();
}
