import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** A collection's own page: what is in it, found, changed, deleted and brought back. */

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
const films = [
  { id: 'solaris', title: 'Solaris', year: 1972, director: { name: 'Andrei Tarkovsky' }, seen: true },
  { id: 'stalker', title: 'Stalker', year: 1979, director: { name: 'Andrei Tarkovsky' }, seen: false },
  { id: 'aelita', title: 'Аэлита', year: 1924, director: { name: 'Яков Протазанов' }, seen: false },
  { id: 'shafaq', title: 'شفق', year: 2001, director: { name: 'مخرج' }, seen: true },
  { id: long, title: long, year: 1999, director: { name: long }, seen: false },
  ...Array.from({ length: 30 }, (_, i) => ({ id: `film-${i}`, title: `Robot film ${i}`, year: 1950 + i })),
];

let collection: number;
test.beforeEach(async ({ page, baseURL }) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  collection = await addCollection(page, baseURL ?? '', projectId, 'films', films);
});

test('documents are listed, sorted, filtered and opened, and the address says it all', async ({ page }) => {
  const watch = watchConsole(page);
  await page.goto('/collections');
  await page.getByRole('link', { name: 'films', exact: true }).click();
  await expect(page).toHaveURL(`/collections/${collection}`);
  await expect(page.getByText('35 documents', { exact: true })).toBeVisible();
  await expect(titles(page)).toHaveCount(25);
  await expectAccessible(page, 'documents');

  await page.getByRole('button', { name: 'Year' }).click();
  await expect(titles(page).first()).toHaveText('Аэлита');
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('yeer:<1973 && seen:true');
  await page.getByRole('button', { name: /Use year:<1973 && seen:true/ }).click();
  await expect(titles(page)).toHaveText(['Solaris']);
  await expect(page.getByText('1 of 35 documents')).toBeVisible();
  await page.reload();
  await expect(titles(page)).toHaveText(['Solaris']);
  await filter.fill('year:<1900');
  await expect(page.getByRole('heading', { name: 'No documents found' })).toBeVisible();
  await page.getByRole('main').getByText('Clear filter', { exact: true }).click();
  await expect(titles(page)).toHaveCount(25);

  await page.getByRole('radiogroup', { name: 'View' }).getByText('JSON').click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2.*view=json|view=json.*page=2/);
  await expect(page.getByRole('list', { name: 'Documents' }).locator('> li')).toHaveCount(10);
  await expectStateAccessible(page, 'documents as JSON');
  await page.goto(`/collections/${collection}?open=${encodeURIComponent(long)}`);
  await expect(panel(page).getByRole('heading', { name: long })).toBeVisible();
  await expectStateAccessible(page, 'a document with long names');
  await panel(page).getByRole('tab', { name: 'Similar' }).click();
  const similar = panel(page).getByRole('list', { name: 'Similar documents' }).getByRole('button').first();
  const name = (await similar.locator('span').first().textContent()) ?? '';
  await similar.click();
  await expect(panel(page).getByRole('heading', { name })).toBeVisible();
  watch.expectQuiet();
});

test('a document is edited, with its faults, its changes and the other one’s shown', async ({
  page,
  baseURL,
}) => {
  const watch = watchConsole(page);
  await page.goto(`/collections/${collection}?open=solaris`);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Document as JSON' });
  await write(editor, '{\n  "title": "Solaris",\n  "year": 1972,,\n}');
  await expect(page.getByRole('button', { name: /^Line 3: This is not JSON at “,”/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled();
  await write(
    editor,
    JSON.stringify({ id: 'solaris', title: 'Solaris', year: 1973, country: 'USSR' }, null, 2),
  );
  await expectAccessible(page, 'editor');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(page.getByText('You changed Year; added Country; removed Director, Seen.')).toBeVisible();
  await expectStateAccessible(page, 'what changes');

  // Somebody else is faster.
  const change = (data: object) =>
    page.request.patch(`/api/collections/${collection}/documents/solaris`, {
      data,
      headers: { Origin: baseURL ?? '' },
    });
  expect((await change({ rating: 9 })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('They added Rating.')).toBeVisible();
  await expect(page.getByText('You changed Year; added Country; removed Director, Seen.')).toBeVisible();
  await expectStateAccessible(page, 'both sides');
  await page.getByRole('button', { name: 'Go on with yours' }).click();
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(page.getByText(/removed .*Rating/)).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Document saved', { exact: true })).toBeVisible();
  await expect(panel(page).getByText('1973')).toBeVisible();
  const saved = await page.request.get(`/api/collections/${collection}/documents/solaris`);
  expect(await saved.json()).toEqual({ id: 'solaris', title: 'Solaris', year: 1973, country: 'USSR' });

  // What is written is not lost by a slip.
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await write(editor, '{"title": "Half of it"}');
  await page.getByRole('button', { name: 'Close document' }).click();
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(editor).toContainText('Half of it');
  await page.getByRole('button', { name: 'Close document' }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  watch.expectQuiet(/Failed to load resource.* 409/);
});

test('what two have written of one document is merged, and nothing is written over unseen', async ({
  page,
  baseURL,
}) => {
  const at = `/api/collections/${collection}/documents/twice`;
  const headers = { Origin: baseURL ?? '' };
  const made = await page.request.put(at, { data: { title: 'Twice', year: 1, note: 'x' }, headers });
  expect(made.ok()).toBe(true);
  const change = (data: object) => page.request.patch(at, { data, headers });
  await page.goto(`/collections/${collection}?open=twice`);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Document as JSON' });
  await expect(editor).toContainText('"year": 1,');

  // Nothing is written yet: theirs is all there is to see.
  expect((await change({ year: 2 })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Show it as it is now' }).click();
  await expect(editor).toContainText('"year": 2,');
  await expect(page.getByText('Somebody else has changed')).toBeHidden();

  await write(editor, '{"id": "twice", "title": "Twice, mine", "year": 2, "note": "mine"}');
  await page.keyboard.press('Escape');
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect((await change({ year: 3, note: 'theirs' })).ok()).toBe(true);
  await page.getByRole('button', { name: 'See both' }).click();
  await expect(page.getByText('Both changed Note: merged, yours stands there.')).toBeVisible();
  await page.getByRole('button', { name: 'Merge both' }).click();
  await expect(page.getByText('You changed Title, Note.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Document saved', { exact: true })).toBeVisible();
  const merged = { id: 'twice', title: 'Twice, mine', year: 3, note: 'mine' };
  expect(await (await page.request.get(at)).json()).toEqual(merged);
  expect((await page.request.delete(at, { headers })).ok()).toBe(true);
});

test('a document is edited from where it was found, and is not lost when it is deleted meanwhile', async ({
  page,
  baseURL,
}) => {
  await page.goto(`/search?collection=${collection}&q=stalker&open=${collection}%2Fstalker`);
  await panel(page).getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(`/collections/${collection}?open=stalker`);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Document as JSON' });
  await write(editor, '{"id": "stalker", "title": "Stalker, restored"}');
  const at = `/api/collections/${collection}/documents/stalker`;
  const deleted = await page.request.delete(at, { headers: { Origin: baseURL ?? '' } });
  expect(deleted.ok()).toBe(true);
  // It is told of by itself.
  await page.getByRole('button', { name: 'See both' }).click();
  await expect(page.getByText('Somebody else has deleted this document meanwhile')).toBeVisible();
  await expectStateAccessible(page, 'deleted meanwhile');
  await page.getByRole('button', { name: 'Add yours again' }).click();
  await expect(panel(page).getByRole('heading', { name: 'Stalker, restored' })).toBeVisible();
  const stored = await page.request.get(at);
  expect(await stored.json()).toEqual({ id: 'stalker', title: 'Stalker, restored' });
});

test('a document is added, deleted, and brought back as it was', async ({ page }) => {
  await page.goto(`/collections/${collection}`);
  await page.getByRole('button', { name: 'Add document' }).click();
  const editor = page.getByRole('textbox', { name: 'Document as JSON' });
  await write(editor, '{"id": "solaris", "title": "The same id"}');
  await page.getByRole('button', { name: 'Add document' }).last().click();
  await expect(page.getByText('A document with the id "solaris" exists')).toBeVisible();
  const vector = Array.from({ length: 384 }, (_, i) => (i === 5 ? 1 : 0));
  const made = { id: 'made', title: 'Made by hand', embedding: vector };
  await write(editor, JSON.stringify(made));
  await page.getByRole('button', { name: 'Add document' }).last().click();
  await expect(panel(page).getByRole('heading', { name: 'Made by hand' })).toBeVisible();
  await expect(page).toHaveURL(/open=made/);

  await panel(page).getByRole('button', { name: 'Delete document' }).click();
  await expect(page.getByText('Document deleted', { exact: true })).toBeVisible();
  await expect(page.getByText('35 documents', { exact: true })).toBeVisible();
  const at = `/api/collections/${collection}/documents/made`;
  expect((await page.request.get(at)).status()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Document restored', { exact: true })).toBeVisible();
  await expect(page.getByText('36 documents', { exact: true })).toBeVisible();
  expect(await (await page.request.get(`${at}?include_embedding=true`)).json()).toEqual(made);
});

const titles = (page: Page) => page.getByRole('table').locator('td button');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Document', exact: true });

/** All of an editor's text anew. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a');
  await editor.press('Delete');
  await editor.page().keyboard.insertText(text);
}
