import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';
import { inRecord } from './record.ts';

/** How well a collection finds what people judged relevant, and whether it can be relied on. */

let collection: number;
test.beforeEach(async ({ page, baseURL }) => {
  const { projectId } = await startWithProject(page, baseURL ?? '');
  collection = await addCollection(page, baseURL ?? '', projectId, 'products', catalogue);
});

test('queries are judged, measured, and measured again after a change, which is named', async ({ page }) => {
  const watch = watchConsole(page);
  await page.goto(`/collections/${collection}?tab=relevance`);
  await expect(page.getByRole('heading', { name: 'No query is judged yet' })).toBeVisible();
  await expectStateAccessible(page, 'relevance, empty');
  await page.getByRole('textbox', { name: 'Query to judge' }).fill('  Camping  STOVE ');
  await page.getByRole('button', { name: 'Judge its hits' }).click();
  const panel = page.getByRole('dialog', { name: 'Judge “camping stove”' });
  await expect(page).toHaveURL(/judge=camping(\+|%20)stove/);
  const stove = panel.getByRole('combobox', { name: 'Grade of Camping stove' });
  await stove.selectOption('The best answer');
  await expect(stove).toBeEnabled();
  await expect(stove).toHaveValue('3');
  await panel.getByRole('textbox', { name: 'Id of another relevant document' }).fill('not there');
  await panel.getByRole('button', { name: 'Add as relevant' }).click();
  await expect(panel.getByText('Document not found')).toBeVisible();
  await expectStateAccessible(page, 'relevance, judging');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();

  await page.getByRole('button', { name: 'Measure' }).click();
  await expect(figure(page, 'Hit rate@10')).toContainText('100.0 %');
  await expect(page.getByText('nothing was changed since.')).toBeVisible();
  await expectAccessible(page, 'relevance, measured');

  // Another tab hides what is relevant: this one measures again and says why.
  const hidden = await page.request.post(`/api/collections/${collection}/overrides`, {
    data: {
      rule: { query: 'camping stove', match: 'exact' },
      excludes: catalogue.filter(({ name }) => name === 'Camping stove').map(({ id }) => ({ id })),
    },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(hidden.status()).toBe(201);
  await expect(figure(page, 'Hit rate@10')).toContainText('0.0 %');
  await expect(figure(page, 'Hit rate@10')).toContainText('−100.0 %');
  const history = page.getByRole('region', { name: 'After every change' });
  await expect(history.getByRole('row')).toHaveCount(3);
  await expect(history.getByRole('row').nth(1)).toContainText('1 change to overrides');
  await expect(page.getByRole('row', { name: /^camping stove/ })).toContainText('not among ten');

  await page.getByRole('button', { name: 'camping stove' }).click();
  await panel.getByRole('button', { name: 'Remove all judgements of this query' }).click();
  await expect(page.getByRole('heading', { name: 'No query is judged yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row', { name: /^camping stove/ })).toBeVisible();
  watch.expectQuiet();
});

test('a change is measured on the judged queries before it is published', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  const judged = await page.request.post(`/api/collections/${collection}/judgements`, {
    data: { query: 'gas', document: 'stove', grade: 3 },
    headers: { origin: baseURL ?? '' },
  });
  expect(judged.status()).toBe(201);
  await page.goto(`/collections/${collection}?tab=relevance`);
  await page.getByRole('link', { name: 'Compare a change' }).click();
  await expect(page.getByText('Nothing is changed yet')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'How it is searched' }).getByText('Keyword').click();
  // The first of the fields is the category, which has no gas.
  await page.getByRole('button', { name: 'Choose fields' }).click();
  await page.getByRole('button', { name: 'Measure on judged queries' }).click();
  await expect(page.getByText('Of 1 query: 1 became empty.')).toBeVisible();
  await expect(figure(page, 'Hit rate@10')).toContainText('worse by 100.0 %');
  await expectAccessible(page, 'a change, compared');
  await page.getByRole('button', { name: 'gas', exact: true }).click();
  const lists = page.getByRole('dialog', { name: '“gas”' });
  await expect(lists.getByRole('list', { name: 'Before: hits' })).toContainText('The best answer');
  await expectStateAccessible(page, 'a change, both lists of a query');
  await page.keyboard.press('Escape');
  await expect(lists).toBeHidden();

  await page.getByRole('button', { name: 'Publish this change' }).click();
  await expect(page.getByText('nDCG@10 is 0.000 now.')).toBeVisible();
  await page.getByRole('link', { name: 'See all measures' }).click();
  await expect(figure(page, 'Hit rate@10')).toContainText('0.0 %');
  watch.expectQuiet();
});

test('relevance is fitted to what is judged, told of each hit, and removed', async ({ page, baseURL }) => {
  const watch = watchConsole(page);
  const words = ['camping', 'kettle', 'coffee', 'leather', 'water', 'gas', 'black', 'stove', 'formal', 'tea'];
  const judgements = words.flatMap((query) =>
    catalogue.map(({ id, ...fields }) => ({
      query,
      document: id,
      grade: JSON.stringify(fields).toLowerCase().includes(query) ? 3 : 0,
    })),
  );
  const judged = await page.request.post(`/api/collections/${collection}/judgements/import`, {
    data: judgements,
    headers: { origin: baseURL ?? '' },
  });
  expect(judged.status()).toBe(200);
  await page.goto(`/collections/${collection}?tab=relevance`);
  const card = page.getByRole('region', { name: 'Calibrated relevance' });
  await expect(card).toContainText('does not tell how likely a hit is relevant');
  await card.getByRole('button', { name: 'Calibrate', exact: true }).click();
  await expect(card).toContainText('On queries that it had not seen it was off by');
  await expectAccessible(page, 'relevance, fitted');

  await page.goto(`/search?collection=${collection}&q=stove`);
  await expect(page.getByText(/^Relevance 0\.\d\d$/).first()).toBeVisible();

  await page.goto(`/collections/${collection}?tab=relevance`);
  await card.getByRole('button', { name: 'Remove' }).click();
  await expect(card).toContainText('does not tell how likely a hit is relevant');
  watch.expectQuiet();
});

test('the index is compared with the record', async ({ page }) => {
  await page.goto(`/collections/${collection}`);
  const trust = page.getByRole('region', { name: 'Trust' });
  await expect(trust).toContainText('Index not verified yet');
  await trust.getByRole('button', { name: 'Verify' }).click();
  await expect(trust).toContainText(`Index = record: ${catalogue.length} documents`);
  await expectStateAccessible(page, 'a collection, verified');
});

test('a document that is lost from the index, and one that is left over in it, are found and healed', async ({
  page,
}) => {
  await inRecord(async (sql) => {
    const own = sql`collection_id = ${collection}`;
    await sql`create temp table planted as select * from documents where ${own} and id = 'stove'`;
    await sql`update planted set id = 'gap', source = replace(source, '"stove"', '"gap"')`;
    await sql`insert into documents select * from planted`;
    await sql`delete from documents where ${own} and id = 'tent'`;
  });
  await page.goto(`/collections/${collection}`);
  const trust = page.getByRole('region', { name: 'Trust' });
  await trust.getByRole('button', { name: 'Verify' }).click();
  await expect(trust).toContainText('The index differs: 1 missing, 1 left over');
  await expectStateAccessible(page, 'a collection whose index differs');
  await trust.getByRole('button', { name: 'Repair' }).click();
  await expect(trust).toContainText(`Index = record: ${catalogue.length} documents`);
  await expect(trust.getByRole('button', { name: 'Repair' })).toBeHidden();
});

function figure(page: Page, name: string) {
  return page.getByRole('region', { name });
}
