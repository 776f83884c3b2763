import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** Product specification §2, "Documentation": what is proved of it, by its words. */
const promises = {
  search: 'Search box filtering section cards by title, description or article titles',
  sections: 'Sections: Getting Started, API Reference, Integrations, Guides',
  steps: 'Quick start in 3 steps: Create Account, Create Collection, Start Searching',
  code: "Code examples in curl, python, javascript, each with a copy button showing 'Copied' for 2 seconds",
  cards: 'SDK and community cards',
};

const film = { id: '1', title: 'Robots learning to love', year: 1999 };

async function makeKey(page: Page, baseURL: string, projectId: number, permissions: string[]) {
  const data = { name: permissions.includes('write') ? 'Import job' : 'Website', projectId, permissions };
  const made = await page.request.post('/api/api-keys', { data, headers: { Origin: baseURL } });
  return ((await made.json()) as { key: string }).key;
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('the documentation, from its list to an article and to code that runs', async ({
  page,
  baseURL: given,
}) => {
  const baseURL = given ?? '';
  const watch = watchConsole(page);
  const { projectId } = await startWithProject(page, baseURL);
  await addCollection(page, baseURL, projectId, 'my films', [film]);
  await makeKey(page, baseURL, projectId, ['read', 'write']);
  const key = await makeKey(page, baseURL, projectId, ['read']);
  const main = page.getByRole('main');

  await test.step(promises.sections, async () => {
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    // The second key must follow soon, which a machine with other work may not manage at once.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await expect(page).toHaveURL(/\/documentation$/, { timeout: 3_000 });
    }).toPass();
    await expect(page).toHaveTitle('Documentation · Vectora');
    for (const name of ['Getting Started', 'API Reference', 'Integrations', 'Guides'])
      await expect(main.getByRole('heading', { name, exact: true })).toBeVisible();
  });

  await test.step(promises.steps, async () => {
    const steps = main.getByRole('region', { name: 'Quick Start' }).getByRole('listitem');
    await expect(steps).toHaveText([
      /Create Account \(done\)/,
      /Create Collection \(done\)/,
      /Start Searching/,
    ]);
  });

  await test.step(promises.code, async () => {
    const sample = main.getByRole('figure', { name: 'Search a collection' });
    for (const [language, begin] of [
      ['curl', 'curl'],
      ['python', 'import json'],
      ['javascript', 'const response'],
    ] as const) {
      await sample.locator('label', { hasText: language }).click();
      await expect(sample.locator('pre')).toContainText('/api/collections/my%20films/hybrid-search');
      await sample.getByRole('button', { name: 'Copy' }).click();
      await expect(sample.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await copied(page)).toMatch(new RegExp(`^${begin}`));
      await expect(sample.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
    }
    // A key is shown to whoever asks for it, and the one that may do least is offered.
    expect(await copied(page)).not.toContain(key);
    await expect(main.getByLabel('API key').locator('option:checked')).toHaveText('Website (read)');
    await main.getByRole('button', { name: 'Show the key' }).click();
    await expect(sample.locator('pre')).toContainText(key);
    await sample.getByRole('button', { name: 'Copy' }).click();
    expect(await copied(page)).toContain(`"X-API-Key": "${key}"`);
    await expectAccessible(page, 'documentation');
  });

  await test.step(promises.cards, async () => {
    for (const name of ['REST', 'curl', 'JavaScript', 'Python'])
      await expect(
        main.getByRole('region', { name: 'SDKs and clients' }).getByRole('link', { name }).first(),
      ).toHaveAttribute('href', /^\/documentation\/(rest|curl|javascript|python)/);
    const community = main.getByRole('region', { name: 'Community' });
    await expect(community.getByRole('link', { name: /Operations/ })).toHaveAttribute(
      'href',
      /^\/documentation\/operations/,
    );
  });

  await test.step(promises.search, async () => {
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('keep a document on top');
    await expect(page).toHaveURL(/\?q=keep/);
    const found = main.getByRole('region', { name: 'In the articles' });
    await expect(found.getByRole('link', { name: /Overrides/ }).first()).toBeVisible();
    await expectStateAccessible(page, 'documentation, found');
    await page.getByRole('searchbox').fill('typesense');
    await expect(main.getByRole('heading', { name: 'Integrations', exact: true })).toBeVisible();
    await expect(main.getByRole('heading', { name: 'Guides', exact: true })).toBeHidden();
    await page.getByRole('searchbox').fill('qqqxyz');
    await expect(found).toContainText('Nothing is said about “qqqxyz”.');
    await page.getByRole('searchbox').fill('disjunctive');
    await found.getByRole('link', { name: /Boxes to tick/ }).click();
  });

  await test.step('an article has its address, its parts, its neighbours, and leads to the operations', async () => {
    await expect(page).toHaveURL(/\/documentation\/facets(\?.*)?#boxes-to-tick$/);
    await expect(page).toHaveTitle('Facets and groups · Documentation · Vectora');
    await expect(main.getByRole('heading', { name: 'Boxes to tick' })).toBeInViewport();
    await expectAccessible(page, 'an article');
    const parts = page.getByRole('navigation', { name: 'On this page' });
    await parts.getByRole('link', { name: 'Groups' }).click();
    await expect(page).toHaveURL(/#groups$/);
    await expect(main.getByRole('heading', { name: 'Groups', exact: true })).toBeInViewport();
    const next = page.getByRole('navigation', { name: 'Next articles' });
    await next.getByRole('link', { name: /Next/ }).click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'Synonyms, overrides and presets' }),
    ).toBeFocused();
    await expect(main.getByRole('figure').first()).toContainText('may only read');
    const operation = main.getByRole('link', { name: 'GET /api/collections/{name}/synonyms' });
    await expect(operation).toHaveAttribute('href', '/api/docs#/Synonyms/synonyms.list');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Facets and groups' })).toBeVisible();
  });

  await test.step('an article that is not there says so', async () => {
    await page.goto('/documentation/no-such');
    await expect(page.getByRole('heading', { level: 1, name: 'Article not found' })).toBeVisible();
    await page.getByRole('link', { name: 'All articles' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible();
  });
  watch.expectQuiet();
});
