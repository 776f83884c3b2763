import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** Each endpoint by its card's name and method, in the page's order. */
const endpoints = {
  Collections: [
    'GET List collections',
    'POST Create a collection',
    'GET Get a collection',
    'DELETE Delete a collection',
  ],
  Documents: [
    'POST Add a document',
    'POST Add many documents',
    'GET Get a document',
    'PUT Replace or create a document',
    'DELETE Delete a document',
  ],
  Search: [
    'GET Search by keywords',
    'POST Search by keywords',
    'GET Search by meaning',
    'POST Search by meaning',
    'GET Search by keywords and meaning',
    'POST Search by keywords and meaning',
    'GET Find documents like one',
    'POST Find documents like one',
    'POST Several searches in one request',
    'POST Ask a question about the documents',
  ],
  Synonyms: ['GET List synonyms', 'POST Add a synonym', 'GET Get a synonym', 'DELETE Delete a synonym'],
  Overrides: [
    'GET List overrides',
    'POST Add an override',
    'GET Get an override',
    'DELETE Delete an override',
  ],
} as const;
const count = Object.values(endpoints).flat().length;

test('API Playground: each of the 27 endpoints works as it stands on a fresh sample', async ({
  page,
  baseURL,
}) => {
  const place = await startWithSample(page, baseURL ?? '');
  const watched = watchConsole(page);
  await page.goto('/api-playground');
  // 'Heading', 'summary card', 'selectors disabled until a project is chosen'
  await expect(page.getByRole('heading', { name: 'API Playground', level: 1 })).toBeVisible();
  await expect(
    page.getByText(
      `Test all ${count} API endpoints - collections, documents, search, synonyms, and overrides`,
    ),
  ).toBeVisible();
  for (const [label, number] of Object.entries({
    'Collection management': 4,
    'Document operations': 5,
    'Search operations': 10,
    'Synonym management': 4,
    'Override management': 4,
    'Total endpoints': count,
  }))
    await expect(page.getByRole('term').filter({ hasText: label }).locator('..')).toContainText(`${number}`);
  await expect(field(page, 'Collection')).toBeDisabled();
  await expect(field(page, 'API Key')).toBeDisabled();
  await expect(page.getByText('Execute an API request to see the response')).toBeVisible();

  // 'dimmed and disabled'
  await page.getByRole('tab', { name: 'Documents', exact: true }).click();
  const first = page.getByRole('article', { name: 'Add a document' });
  await expect(first.getByText('Select a collection to enable this endpoint')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Execute Request' })).toBeDisabled();
  await expectStateAccessible(page, 'playground, nothing chosen');

  await choose(page, 'Project', 'Online shop');
  // What is chosen already stays chosen.
  await choose(page, 'Project', 'Online shop');
  await choose(page, 'Collection', 'products');
  await choose(page, 'Collection', 'products');
  await expect(page).toHaveURL(new RegExp(`collection=${place.collectionId}`));
  // 'If no API key is selected on execution'
  const body = first.getByRole('textbox', { name: 'Request body of Add a document' });
  // What stands below it moves when it is there.
  await expect(body).toBeVisible();
  await first.getByRole('button', { name: 'Execute Request' }).click();
  await expect(page.getByText('API Key Required', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Please select an API key to authenticate your request.', { exact: true }),
  ).toBeVisible();
  await choose(page, 'API Key', 'Tester');
  // 'Invalid JSON', and nothing is sent
  await body.click();
  await body.press('Control+End');
  await body.press('Backspace');
  await first.getByRole('button', { name: 'Execute Request' }).click();
  await expect(page.getByText('Invalid JSON', { exact: true })).toBeVisible();
  await expect(page.getByText('Please check your request body format', { exact: true })).toBeVisible();
  await expect(page.getByText('Execute an API request to see the response')).toBeVisible();
  await first.getByRole('button', { name: 'Reset' }).click();

  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/') && !request.url().endsWith('openapi.json'))
      keys.push(request.headers()['x-api-key']);
  });
  // The collection that all others need goes last.
  for (const [tab, cards] of Object.entries(endpoints).toSorted(
    ([a], [b]) => +(a === 'Collections') - +(b === 'Collections'),
  )) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await expect(page.getByRole('article')).toHaveCount(cards.length);
    for (const [index, card] of cards.entries()) {
      const [method = '', ...name] = card.split(' ');
      const article = page.getByRole('article').nth(index);
      await expect(article).toContainText(method);
      await expect(article).toContainText(name.join(' '));
      const toggle = article.getByRole('heading').getByRole('button');
      if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
      await expect(article.getByRole('textbox', { name: 'Endpoint URL' })).toHaveValue(/^\/api\//);
      const answered = page.waitForResponse(
        (response) => response.request().method() === method && response.url().includes('/api/'),
      );
      await article.getByRole('button', { name: 'Execute Request' }).click();
      const answer = await answered;
      expect(answer.status(), `${card}: ${await answer.text()}`).toBeLessThan(300);
      await expect(page.getByRole('status').filter({ hasText: 'ms' })).toContainText(`${answer.status()}`);
    }
    if (tab === 'Search') await expectAccessible(page, 'playground, answered');
  }
  expect(new Set(keys)).toEqual(new Set([place.key]));
  expect(keys.length).toBe(count);
  // What was deleted comes back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Collection restored', { exact: true })).toBeVisible();
  await choose(page, 'Collection', 'products');
  watched.expectQuiet();
});

test('API Playground: the answer, its headers, the history, a copy as curl, no answer, and what an address may be', async ({
  page,
  baseURL,
}) => {
  const { collectionId, key, keyId } = await startWithSample(page, baseURL ?? '');
  const watched = watchConsole(page);
  await page.goto(`/api-playground?endpoint=search.keyword.post&collection=${collectionId}&key=${keyId}`);
  // The link alone shows the endpoint of another project's collection, ready to be sent.
  await expect(field(page, 'Project')).toHaveValue('Online shop');
  const card = page.getByRole('article', { name: 'Search by keywords', exact: true }).last();
  const body = card.getByRole('textbox', { name: 'Request body of Search by keywords' });
  await expect(body).toContainText('"query_by"');
  // Completion knows the parameters, and the collection's fields.
  await body.click();
  await body.press('Control+Home');
  await body.press('ArrowRight');
  await body.pressSequentially('"high');
  await page.getByRole('option', { name: /highlight_fields/ }).click();
  await body.pressSequentially('["na');
  await page.getByRole('option', { name: '"name"' }).click();
  await body.pressSequentially('],');
  await expect(body).toContainText('"highlight_fields": ["name"],');
  await body.press('Control+Enter');
  const status = page.getByRole('status').filter({ hasText: 'ms' });
  await expect(status).toContainText('200');
  await expect(page.getByRole('textbox', { name: 'Response body' })).toContainText('"found"');
  await page.getByRole('button', { name: 'Copy response body' }).click();
  await expect(page.getByText('Content copied to clipboard', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Headers' }).click();
  await expect(page.getByRole('table', { name: 'Response headers' })).toContainText('x-request-id');

  await card.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByText('It uses the key “Tester”.', { exact: true })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl -X POST '${baseURL}/api/collections/products/search'`);
  expect(command).toContain(`-H 'X-API-Key: ${key}'`);
  expect(command).toContain('"highlight_fields"');

  const url = card.getByRole('textbox', { name: 'Endpoint URL' });
  await url.fill('https://elsewhere.example/api/collections');
  await expect(card.getByText('Requests go to this server')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Execute Request' })).toBeDisabled();
  await url.fill('/api/collections/products/search?page=nothing');
  await card.getByRole('button', { name: 'Execute Request' }).click();
  await expect(status).toContainText('400');

  // 'Network failure shows status 0 with data holding the error message'
  await page.route('**/api/collections/**', (route) => route.abort());
  await card.getByRole('button', { name: 'Execute Request' }).click();
  await expect(status.filter({ hasText: /^0/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Body' }).click();
  await expect(page.getByRole('textbox', { name: 'Response body' })).toContainText('Failed to fetch');
  await expect(page.getByText('No answer came.')).toBeVisible();
  await page.unroute('**/api/collections/**');

  // 'Executing...' while running, and given up
  await page.route('**/api/collections/**', () => undefined);
  await card.getByRole('button', { name: 'Execute Request' }).click();
  await expect(card.getByRole('button', { name: 'Executing...' })).toBeDisabled();
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.getByRole('button', { name: 'Execute Request' })).toBeEnabled();
  await page.unroute('**/api/collections/**');

  // After a reload the requests are there, and no key is.
  await page.reload();
  await page.getByRole('tab', { name: 'History (3)' }).click();
  const stored = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage));
  expect(stored).toContain('/api/collections/products/search');
  expect(stored).not.toContain(key);
  await page.getByRole('tab', { name: 'Synonyms', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: '200' }).getByRole('button').click();
  await expect(body).toContainText('"highlight_fields": ["name"],');
  await expectStateAccessible(page, 'playground, history');
  await page.getByRole('button', { name: 'Clear history' }).click();
  await expect(page.getByText('No requests yet')).toBeVisible();
  watched.expectQuiet(/Failed to load resource|net::ERR_FAILED/);
});

test('API Playground: what a request deleted is named before and after it is asked for again', async ({
  page,
  baseURL,
}) => {
  const { collectionId, keyId } = await startWithSample(page, baseURL ?? '');
  await page.goto(`/api-playground?endpoint=documents.get&collection=${collectionId}&key=${keyId}`);
  const status = page.getByRole('status').filter({ hasText: 'ms' });
  const open = async (name: string) => {
    const card = page.getByRole('article', { name, exact: true });
    const toggle = card.getByRole('heading').getByRole('button');
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    return { card, url: card.getByRole('textbox', { name: 'Endpoint URL' }) };
  };
  const execute = async (name: string, answer: string) => {
    await page
      .getByRole('article', { name, exact: true })
      .getByRole('button', { name: 'Execute Request' })
      .click();
    await expect(status).toContainText(answer);
  };
  const read = await open('Get a document');
  const address = await read.url.inputValue();
  const words = `“${address.split('/').at(-1)}” was deleted by a request from this page. “Add a document” can make it again, or write another id.`;
  const deletion = await open('Delete a document');
  await deletion.url.fill(address);
  await execute('Delete a document', '200');
  await expect(deletion.card.getByRole('note')).toHaveText(words);

  // What the other endpoints begin with is there.
  await open('Get a document');
  await expect(read.url).not.toHaveValue(address);
  await execute('Get a document', '200');
  await read.url.fill(address);
  await expect(read.card.getByRole('note')).toHaveText(words);
  await execute('Get a document', '404');
  await expect(page.getByRole('region', { name: 'Response' }).getByText(words)).toBeVisible();
  await expectAccessible(page, 'playground, deleted');

  const replacement = await open('Replace or create a document');
  await replacement.url.fill(address);
  await expect(replacement.card.getByRole('note')).toBeHidden();
  await execute('Replace or create a document', '201');
  await open('Get a document');
  await expect(read.card.getByRole('note')).toBeHidden();
  await execute('Get a document', '200');

  // On a phone the page begins at its top, and by a link to an endpoint there.
  await page.setViewportSize({ width: 390, height: 844 });
  const place = `/api-playground?collection=${collectionId}&key=${keyId}`;
  const send = (name: string) =>
    page.getByRole('article', { name, exact: true }).getByRole('button', { name: 'Execute Request' });
  await page.goto(place);
  await expect(send('List collections')).toBeEnabled();
  await expect(page.getByRole('heading', { name: 'API Playground', level: 1 })).toBeInViewport({ ratio: 1 });
  await page.goto(`${place}&endpoint=collections.delete`);
  await expect(send('Delete a collection')).toBeEnabled();
  await expect(page.getByText('Delete a collection', { exact: true })).toBeInViewport();
});

function field(page: Page, label: string) {
  const configuration = page.getByRole('region', { name: 'Configuration' });
  return configuration.getByRole('combobox', { name: label, exact: true });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).click();
  await page.getByRole('option', { name: option }).click();
}

/** A project with the sample of products, and a key that may read and write. */
async function startWithSample(page: Page, baseURL: string) {
  const { projectId } = await startWithProject(page, baseURL);
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers: { Origin: baseURL } });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  const loaded = (await post('/trpc/samples.load', { projectId, sample: 'products' })) as {
    result: { data: { collection: { id: number } } };
  };
  const made = (await post('/api/api-keys', { name: 'Tester', projectId })) as { id: number; key: string };
  return { collectionId: loaded.result.data.collection.id, key: made.key, keyId: made.id };
}
