import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectStateAccessible } from './accessibility.ts';
import { addCollection, type Place, password, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';
import { failProcedures } from './fail-procedures.ts';

/** What can be done on each screen beyond the first day's path; each test is an account of its own. */

let place: Place;
test.beforeEach(async ({ page, baseURL }) => {
  place = await startWithProject(page, baseURL ?? '');
});

test('collections: edit, delete with the name typed, delete and undo on the project', async ({
  page,
  baseURL,
}) => {
  const watch = watchConsole(page);
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await addCollection(page, baseURL ?? '', place.projectId, 'drafts');

  await page.goto('/collections?q=drafts');
  await expect(page.getByRole('link', { name: 'products' })).toBeHidden();
  await page.getByRole('button', { name: 'Edit drafts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('  ');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('Collection name is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('drafts-2');
  await dialog.getByLabel('Description').fill('Not ready yet');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'Collection updated', 'Your collection has been successfully updated.');
  await expect(page.getByText('Not ready yet')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search collections' }).fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No collections found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();

  // Documents are in it, so its name has to be typed; the focus comes back to where the dialog was opened.
  await page.getByRole('button', { name: 'Delete products' }).click();
  await expect(dialog).toContainText('permanently deletes products and all documents in the collection');
  await expect(dialog.getByRole('button', { name: 'Delete collection' })).toBeDisabled();
  await expectStateAccessible(page, 'delete collection');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Delete products' })).toBeFocused();

  await page.goto(`/projects/${place.projectId}`);
  await page.getByRole('button', { name: 'Delete products' }).click();
  await expectToast(page, 'Collection deleted', 'The collection has been successfully deleted.');
  // A toast under the pointer stays.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await expect(page.getByRole('row', { name: /products/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Collection restored', 'products');
  await expect(page.getByRole('row', { name: /products.*5.*Active/ })).toBeVisible();
  await page.goto(`/search?q=kettle&mode=keyword`);
  await expect(hits(page)).toHaveCount(1);

  await page.goto('/collections');
  await page.getByRole('button', { name: 'Delete products' }).click();
  await dialog.getByRole('textbox').fill('products');
  await dialog.getByRole('button', { name: 'Delete collection' }).click();
  await expectToast(page, 'Collection deleted');
  await expect(page.getByRole('link', { name: 'products' })).toBeHidden();

  await page.goto('/dashboard');
  page.once('dialog', (question) => {
    expect(question.message()).toBe(
      'Are you sure you want to delete "drafts-2"? This action cannot be undone.',
    );
    void question.accept();
  });
  await page.getByRole('button', { name: 'Actions for drafts-2' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expectToast(page, 'Collection deleted');
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible();
  watch.expectQuiet();
});

test('projects: edit, delete with the name typed, and one that is not there', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products');
  await page.goto(`/projects/${place.projectId}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit Project' }).click();
  await dialog.getByLabel('Name').fill('');
  await expect(dialog.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('Corner shop');
  await dialog.getByLabel('Description').fill('The one around the corner');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'Project updated');
  await expect(page.getByRole('heading', { level: 1, name: 'Corner shop' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Project' })).toBeFocused();

  await page.goto('/projects');
  await page.getByRole('button', { name: 'New Project' }).click();
  await dialog.getByLabel('Name').fill('Once');
  await clickTwice(dialog.getByRole('button', { name: 'Create project' }));
  await expectToast(page, 'Project created', 'Once');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'New Project' }).click();
  await dialog.getByLabel('Name').fill('By Enter');
  // Two keys could straddle the answer, and the second one open the dialog again: this is both at once.
  await dialog.getByLabel('Name').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit();
    field.form?.requestSubmit();
  });
  await expectToast(page, 'Project created', 'By Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByRole('link')).toHaveText([/./, /./, /./]);
  for (const name of ['Once', 'By Enter']) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    // Nothing is in it, so there is nothing to type; the second click must not fail on what is gone.
    await clickTwice(dialog.getByRole('button', { name: 'Delete project' }));
    await expectToast(page, 'Project deleted');
    await expect(page.getByRole('link', { name })).toBeHidden();
  }
  await expect(page.getByText('1 collection', { exact: true })).toBeVisible();
  await expect(page.getByText('0 API keys')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Corner shop' }).click();
  await expect(dialog.getByRole('button', { name: 'Delete project' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('Corner shop');
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await expectToast(page, 'Project deleted');
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();

  await page.goto(`/projects/${place.projectId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Project not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Projects' }).click();
  await expect(page).toHaveURL(/\/projects$/);
});

test('without a workspace the pages say so', async ({ page, baseURL }) => {
  const gone = await page.request.post('/trpc/workspaces.delete', {
    data: { id: place.workspaceId },
    headers: { Origin: baseURL ?? '' },
  });
  expect(gone.ok(), await gone.text()).toBe(true);
  for (const path of ['/projects', '/collections', '/search']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Select a Workspace' })).toBeVisible();
  }
  await expectStateAccessible(page, 'without a workspace');
  await page.getByRole('button', { name: 'New Workspace' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Second try');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Workspace created', 'Second try');
  await expect(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue('Second try');
});

test('keys: a double click makes one; reveal, copy, pause, delete', async ({ page, baseURL, request }) => {
  const collectionId = await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await page.goto(`/projects/${place.projectId}?tab=api-keys`);
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create API Key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await dialog.getByLabel('Name').fill('Website');
  await clickTwice(dialog.getByRole('button', { name: 'Create API key' }));
  await expectToast(page, 'API key created', 'New API key has been generated successfully.');
  const rows = page.getByRole('row', { name: /Website/ });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('read and write');
  await expect(rows).toContainText(/Never.*Never/);

  await expect(rows.getByRole('code')).toHaveText(/^•{32}.{4}$/);
  await rows.getByRole('button', { name: 'Reveal API key' }).click();
  await expect(rows.getByRole('code')).toHaveText(/^vk_/);
  const key = await rows.getByRole('code').innerText();
  await rows.getByRole('button', { name: 'Hide API key' }).click();
  await expect(rows.getByRole('code')).toHaveText(/^•{32}.{4}$/);
  await rows.getByRole('button', { name: 'Copy API key' }).click();
  await expectToast(page, 'Copied', 'API key copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  const searchStatus = async () => {
    const answer = await request.get(`/api/collections/${collectionId}/search?query=tent`, {
      headers: { 'X-API-Key': key },
    });
    return answer.status();
  };
  expect(await searchStatus()).toBe(200);
  await rows.getByRole('switch', { name: 'Website is active' }).click({ force: true });
  await expect(rows.getByText('Inactive')).toBeVisible();
  await expect.poll(searchStatus).toBe(401);
  // It is in use, so it is asked about.
  await expect(rows.getByRole('cell').nth(3)).not.toHaveText('0');
  await rows.getByRole('button', { name: 'Delete Website' }).click();
  await dialog.getByRole('button', { name: 'Delete API key' }).click();
  await expectToast(page, 'API key deleted');
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
});

test('import: broken rows are mended, and a running one can be cancelled', async ({ page, baseURL }) => {
  const collectionId = await addCollection(page, baseURL ?? '', place.projectId, 'products');
  await page.goto('/collections');
  await page.getByRole('button', { name: 'Upload documents to products' }).click();
  const dialog = page.getByRole('dialog');
  const dock = page.getByRole('region', { name: 'Imports' });
  await expect(dialog.getByRole('button', { name: /Drop a file here/ })).toBeFocused();
  await choose(page, 'notes.txt', 'just words');
  await expect(dialog.getByRole('alert')).toContainText('neither JSON nor a table');
  await choose(page, 'none.json', '[]');
  await expect(dialog.getByRole('alert')).toContainText('no documents');
  await expectPreviewFits(page, dialog);
  await choose(page, 'mixed.json', JSON.stringify([catalogue[0], { id: 'a\u0000b' }, 7, catalogue[1]]));
  await expect(dialog.getByText('mixed.json')).toBeFocused();
  await dialog.getByRole('button', { name: 'Check all rows' }).click();
  await expect(dialog.getByText('2 rows are good, 2 would be refused')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 3 documents' }).click();
  await expect(dialog).toBeHidden();
  await expect(dock).toContainText('2 in, 2 failed');

  await dock.getByRole('button', { name: 'Mend the 2 failed rows' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download rows with reasons' }).click();
  expect((await download).suggestedFilename()).toBe('mixed.json.failed.ndjson');
  const cell = dialog.getByRole('textbox', { name: 'id of row 2' });
  await expect(dialog.getByRole('tab')).toHaveCount(2);
  for (const tab of await dialog.getByRole('tab').all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    if (await cell.isVisible()) break;
  }
  await cell.fill('mended');
  await dialog.getByRole('button', { name: 'Send 1 row again' }).click();
  await expect(dock.getByText('mended rows of mixed.json', { exact: true })).toBeVisible();
  await expect(dock).toContainText('1 document is in');
  const mended = await page.request.get(`/api/collections/${collectionId}/documents/mended`);
  expect(mended.status()).toBe(200);

  // The request hangs, so that there is something to cancel however fast the machine is.
  await page.route('**/documents/import?**', () => {});
  await page.getByRole('button', { name: 'Upload documents to products' }).click();
  await choose(page, 'more.ndjson', JSON.stringify(catalogue[2]));
  await dialog.getByRole('button', { name: 'Import 1 document' }).click();
  // It lives on every page.
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await dock.getByRole('button', { name: 'Cancel the import of more.ndjson' }).click();
  await expect(dock).toContainText('Cancelled');
  await page.unroute('**/documents/import?**');
  await dock.getByRole('button', { name: 'Try the import of more.ndjson again' }).click();
  await expect(dock.getByRole('listitem').filter({ hasText: 'more.ndjson' }).first()).toContainText(
    '1 document is in',
  );
});

test('search: the address is the search, Back and Forward step through it', async ({ page, baseURL }) => {
  const films = Array.from({ length: 25 }, (_, i) => ({
    id: `film-${i}`,
    title: `Robot film ${i}`,
    genre: i % 5 === 0 ? 'Noir' : 'Comedy',
    year: 1980 + i,
  }));
  const id = await addCollection(page, baseURL ?? '', place.projectId, 'films', films);
  await page.goto(`/search?collection=${id}&mode=keyword`);
  const box = page.getByRole('searchbox', { name: 'Search query' });
  const found = page.getByText(/^[\d,]+ (of|documents?)/);
  await expect(found).toContainText('25 documents');
  // However slowly the keys arrive here, they are typed in one go.
  await page.clock.setFixedTime(new Date());
  await box.pressSequentially('robot');
  // Half of the word finds as many.
  await expect(page).toHaveURL(/q=robot\b/);
  await expect(found).toContainText('25 of 25');
  await page.getByRole('checkbox', { name: 'Noir' }).click();
  await expect(page.getByRole('checkbox', { name: 'Noir' })).toBeChecked();
  await expect(found).toContainText('5 of 25');
  // A field's own counts stay what they are without its ticks.
  await expect(page.getByRole('group', { name: 'Genre' })).toContainText('20');
  await page.getByRole('checkbox', { name: 'Noir' }).click();
  await expect(found).toContainText('25 of 25');
  await page.getByRole('button', { name: 'Page 3' }).click();
  await expect(hits(page)).toHaveCount(5);
  await expect(page).toHaveURL(/page=3/);
  await box.fill('robot 7');
  await expect(page).not.toHaveURL(/page=/);
  await expect(hits(page).first()).toContainText('Robot film 7');

  // One entry for the words however often they were typed at, one for each other step.
  await page.goBack();
  await expect(page).toHaveURL(/q=robot&.*page=3|page=3.*q=robot/);
  await expect(box).toHaveValue('robot');
  await expect(hits(page)).toHaveCount(5);
  await page.goBack();
  await expect(page).not.toHaveURL(/page=3/);
  await page.goBack();
  await expect(page.getByRole('checkbox', { name: 'Noir' })).toBeChecked();
  await page.goBack();
  await page.goBack();
  await expect(box).toHaveValue('');
  await expect(found).toContainText('25 documents');
  await page.goForward();
  await expect(box).toHaveValue('robot');
  await expect(found).toContainText('25 of 25');

  await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('year:[1990..');
  await expect(page.getByText(/^At character \d+:/)).toBeVisible();
  await expectStateAccessible(page, 'search, a broken filter');
  await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('year:>=2000');
  await expect(found).toContainText('5 of 25');
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Year, descending' }).click();
  await expect(hits(page).first()).toContainText('Robot film 24');
  await page.goto('/search?q=robot&page=zero&alpha=9&facets=3&collection=x&mode=magic');
  await expect(page.getByText('Best of 25 documents by words and meaning')).toBeVisible();
});

test('a project of another workspace than the chosen one takes a collection', async ({ page }) => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New Workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Elsewhere');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Workspace created', 'Elsewhere');
  await expect(dialog).toBeHidden();
  await page.goto(`/projects/${place.projectId}`);
  await page.getByRole('main').getByRole('button', { name: 'Create Collection' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toHaveValue('Online shop');
  await dialog.getByLabel('Name').fill('products');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Collection created', 'products');
  await expect(page.getByRole('row', { name: /products/ })).toBeVisible();

  // Without a project to begin with one has to be chosen, and a name that is taken is said in the dialog.
  await page.goto('/projects');
  await page.getByRole('main').getByRole('button', { name: 'New Project' }).first().click();
  await dialog.getByLabel('Name').fill('Second shop');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Project created', 'Second shop');
  await expect(dialog).toBeHidden();
  // While it is the only one that is known, a project is chosen by itself.
  await expect(page.getByRole('main').getByText('Second shop')).toBeVisible();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New Collection' }).click();
  await expect(dialog.getByRole('button', { name: 'Create collection' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('products');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please select a project')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: 'Online shop' }).click();
  await dialog.getByRole('button', { name: 'Create collection' }).click();
  await expect(dialog.getByRole('alert')).toContainText('products');
});

test('failures are said where they happen and can be tried again', async ({ page, context, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  for (const [path, procedure, title] of [
    ['/collections', 'collections.list', 'Failed to fetch collections'],
    ['/projects', 'projects.list', 'Failed to fetch projects'],
    [`/projects/${place.projectId}?tab=api-keys`, 'apiKeys.list', 'Failed to fetch API keys'],
  ] as const) {
    await failProcedures(page, (name) => name === procedure);
    await page.goto(path);
    const failure = page.getByRole('alert').filter({ hasText: title });
    await expect(failure).toContainText('The database is away');
    await expect(failure).toContainText('Request req_e2e');
    const again = failure.getByRole('button', { name: 'Try again' });
    const asked = page.waitForRequest((request) => request.url().includes(procedure));
    await again.click();
    await asked;
    await expect(failure).toContainText('The database is away');
    await page.unrouteAll({ behavior: 'wait' });
    // A change that the stream tells may have asked for it before the button is pressed.
    await Promise.race([again.click(), expect(failure).toBeHidden()]);
    await expect(failure).toBeHidden();
  }

  await page.goto('/search');
  await expect(page.getByRole('heading', { name: 'Search Tips' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search query' }).fill('kettle');
  await expect(page.getByText('The search is made by itself once there is an answer.')).toBeVisible();
  await context.setOffline(false);
  await expect(hits(page).first()).toContainText('Gooseneck kettle');
  await expect(page.getByText('You are offline.')).toBeHidden();
});

test('a session that ends asks to sign in over the page; one that is ended leaves nothing', async ({
  page,
  context,
  baseURL,
}) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products');
  const other = await context.newPage();
  await other.goto('/projects');
  await expect(other.getByRole('link', { name: 'Online shop' })).toBeVisible();
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New Project' }).click();
  const form = page.getByRole('dialog', { name: 'Create project' });
  await form.getByLabel('Name').fill('Winter shop');
  await context.clearCookies({ name: 'vectora_session' });
  // The console may have heard by itself by now, and asks over the form.
  await form.getByRole('button', { name: 'Create project' }).dispatchEvent('click');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(again.getByLabel('Password', { exact: true })).toBeFocused();
  await expectStateAccessible(page, 'signing in again');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await again.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expectToast(page, 'Project created', 'Winter shop');
  await expect(page.getByRole('link', { name: 'Winter shop' })).toBeVisible();
  await expect(page).toHaveURL(/\/projects$/);

  // Once more in the life of the same page.
  await context.clearCookies({ name: 'vectora_session' });
  // Never opened before: what it shows has to be asked for.
  await page.getByRole('link', { name: 'Monitoring' }).first().dispatchEvent('click');
  await expect(page).toHaveURL(/\/monitoring$/);
  await again.getByRole('button', { name: 'Leave without signing in' }).click();
  await expect(page).toHaveURL(/\/\?redirect=%2Fmonitoring$/);
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(place.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/monitoring$/);

  // What one tab does to the session the others follow.
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(other).toHaveURL(/\/\?redirect=%2Fprojects$/);
});

test('by keyboard alone, from the login to a key', async ({ page, baseURL, context }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await context.clearCookies();
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page, 'Email');
  await page.keyboard.type(place.email);
  await tabTo(page, 'Password');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused();

  await tabTo(page, 'Vector Search');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Vector Search' })).toBeFocused();
  await tabTo(page, 'Create');
  await page.keyboard.press('Enter');
  await focusInMenu(page);
  await page.getByRole('menuitem', { name: 'New Workspace' }).press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeFocused();
  await page.getByRole('heading', { level: 1, name: 'Vector Search' }).focus();
  await tabTo(page, 'Search query');
  await page.keyboard.type('shoes for a wedding');
  await expect(hits(page).first()).toContainText('Oxford lace-ups');

  await page.goto(`/projects/${place.projectId}?tab=api-keys`);
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
  await tabTo(page, 'Create API Key');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await expectToast(page, 'API key created');
  await page.getByRole('button', { name: 'Delete By hand' }).press('Enter');
  await expectToast(page, 'API key deleted');
  await expect(page.getByRole('heading', { level: 1, name: 'Online shop' })).toBeFocused();
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: 'Notification' }).getByRole('list')).toBeFocused();
});

/** In one look: a toast does not wait. */
async function expectToast(page: Page, title: string, description?: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: 'Notification' })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) });
  const wanted = description ? toast.filter({ has: page.getByText(description, { exact: true }) }) : toast;
  await expect(wanted).toBeVisible();
}

/** Both clicks before anything can be answered: the second of two real ones might find another page under the pointer. */
async function clickTwice(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

/** A menu takes the focus a moment after it opens; whatever was focused before that loses it again. */
async function focusInMenu(page: Page): Promise<void> {
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
}

/** A file with a long name and a long first document leaves the buttons whole and in sight on the narrowest screen. */
async function expectPreviewFits(page: Page, dialog: Locator): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const long = Array.from({ length: 40 }, (_, i) => [`field${i}`, i]);
  await choose(page, `${'products'.repeat(20)}.json`, JSON.stringify([Object.fromEntries(long)]));
  const other = dialog.getByRole('button', { name: 'Choose another' });
  await dialog.getByRole('button', { name: 'Import 1 document' }).scrollIntoViewIfNeeded();
  await expect(dialog.getByRole('button', { name: 'Import 1 document' })).toBeInViewport({ ratio: 1 });
  await other.scrollIntoViewIfNeeded();
  const hidden = await other.evaluate((button) =>
    [...button.querySelectorAll('*')].map((part) => part.scrollWidth - part.clientWidth),
  );
  expect(Math.max(...hidden), 'pixels of its label that are cut').toBeLessThanOrEqual(0);
  await other.click();
  if (size) await page.setViewportSize(size);
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('File with documents')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
}

function hits(page: Page) {
  return page.getByRole('list', { name: 'Hits' }).locator('> li');
}

/** Presses Tab until the control with this accessible name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByLabel(name, { exact: true }).or(page.getByText(name, { exact: true }));
  for (let presses = 0; presses < 60; presses++) {
    const isThere = await wanted.evaluateAll(
      (elements) =>
        elements.some(
          (element) => element.contains(document.activeElement) || document.activeElement?.contains(element),
        ) && document.activeElement !== document.body,
    );
    const isControl = await page.evaluate(
      () => document.activeElement?.matches('a, button, input, textarea') ?? false,
    );
    if (isThere && isControl) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}
