import { expect, type Page } from '@playwright/test';
import {
  button,
  dialogOf,
  goes,
  heading,
  inOrder,
  opens,
  opensMenu,
  press,
  pressIn,
  type Screen,
  text,
} from './screen.ts';

const hits = (page: Page) => page.getByRole('list', { name: 'Hits' }).locator('> li');

const chooses = (label: string, option: string) => async (page: Page) => {
  const configuration = page.getByRole('region', { name: 'Configuration' });
  await configuration.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};

/** Where one searches, watches, asks, tries and reads. */
export const workScreens: Screen[] = [
  {
    name: 'search, hits',
    route: '/search',
    path: ({ products }) => `/search?collection=${products}&q=camping`,
    shown: hits,
    empty: { path: () => '/search', shown: (page) => button(page, 'Load the sample Products') },
    dialogs: {
      'a document': async (page) => {
        await hits(page)
          .first()
          .getByRole('heading')
          .getByRole('link')
          .or(hits(page).first().locator('h2 button'))
          .click();
        await expect(dialogOf(page)).toBeVisible();
      },
      'copy as': opensMenu('Copy as'),
      'time for each step': press(/time for each step$/, (page) => page.getByRole('dialog')),
      'the filter in rows': opens('Build the filter'),
    },
    states: {
      'side by side': async (page) => {
        await page.getByRole('radiogroup', { name: 'Search mode' }).getByText('Side by side').click();
        await expect(page.getByRole('list', { name: 'Semantic hits' })).toBeVisible();
      },
      'why a hit stands there': async (page) => {
        await hits(page)
          .first()
          .getByRole('button', { name: /^Score/ })
          .click();
        await expect(page.getByRole('region', { name: 'What the score is made of' }).first()).toBeVisible();
      },
      'a filter that cannot be read': async (page) => {
        await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('price:[1..');
        await expect(page.getByText(/^At character/)).toBeVisible();
      },
      'nothing found': async (page) => {
        await page.getByRole('radiogroup', { name: 'Search mode' }).getByText('Keyword').click();
        await page.getByRole('searchbox', { name: 'Search query' }).fill('qqqxyz');
        await expect(hits(page)).toHaveCount(0);
      },
    },
  },
  {
    name: 'search, before a query',
    route: '/search',
    path: () => '/search',
    shown: heading('Search Tips'),
    canFail: false,
    states: { 'all collections': goes('/search?q=camping', hits) },
  },
  {
    name: 'live events',
    route: '/events',
    // What the tests before have asked stands above it, and of a long list only what is seen is there.
    path: () => '/events?q=kettle',
    shown: (page) => page.getByRole('row', { name: /kettle/ }),
    empty: {
      path: () => '/events',
      shown: (page) =>
        page
          .getByRole('main')
          .getByText(/events?/)
          .first(),
    },
    dialogs: {
      'an event': async (page) => {
        await page
          .getByRole('row', { name: /kettle/ })
          .getByRole('link', { name: 'Keyword search' })
          .first()
          .click();
        await expect(dialogOf(page).getByText('API key Website')).toBeVisible();
        // The code asks for the keys.
        await expect(dialogOf(page).getByLabel('API key in the code')).toBeVisible();
      },
      export: opensMenu('Export'),
    },
    states: {
      replayed: async (page) => {
        await page
          .getByRole('row', { name: /kettle/ })
          .getByRole('link', { name: 'Keyword search' })
          .first()
          .click();
        await dialogOf(page).getByRole('button', { name: 'Replay' }).click();
        await expect(dialogOf(page).getByText('The answer is the same as it was.')).toBeVisible();
      },
      paused: press('Pause', text(/^Paused/)),
      'nothing found': goes('/events?q=zzz', text('No events found')),
    },
  },
  {
    name: 'ask',
    route: '/ask-vector',
    path: () => '/ask-vector',
    shown: (page) => page.getByRole('list', { name: 'Suggested questions' }).getByRole('button'),
    empty: { shown: heading('Nothing to ask yet') },
    dialogs: {
      collections: press(/^Collections to ask/, (page) => page.getByRole('checkbox')),
      'actions of a conversation': opensMenu('Actions for What boils a pot?'),
      'renaming one': inOrder(opensMenu('Actions for What boils a pot?'), async (page) => {
        await page.getByRole('menuitem', { name: 'Rename' }).click();
        await expect(dialogOf(page)).toBeVisible();
      }),
    },
    states: {
      'a model without its key': goes(
        '/ask-vector?model=claude',
        text('this server has no ANTHROPIC_API_KEY'),
      ),
      waiting: async (page) => {
        await page.route('**/api/chat', () => new Promise(() => undefined));
        await page.getByRole('textbox', { name: 'Message' }).fill('What boils a pot?');
        await page.keyboard.press('Enter');
        await expect(button(page, 'Stop')).toBeVisible();
      },
    },
  },
  {
    name: 'a conversation',
    route: '/ask-vector/$conversation',
    path: ({ conversation }) => `/ask-vector/${conversation}`,
    shown: (page) => page.getByRole('button', { name: 'Copy answer' }),
    dialogs: {
      source: press(/^Source 1/, (page) => page.getByRole('dialog', { name: 'Source' }).locator('mark')),
    },
    states: { 'none such': goes('/ask-vector/999999', heading('There is no such conversation')) },
  },
  {
    name: 'playground',
    route: '/api-playground',
    path: ({ products, keyId }) =>
      `/api-playground?endpoint=search.keyword.post&collection=${products}&key=${keyId}`,
    shown: (page) => page.getByRole('textbox', { name: /^Request body of/ }),
    empty: { path: () => '/api-playground', shown: text('Execute an API request to see the response') },
    states: {
      answered: press('Execute Request', (page) => page.getByRole('textbox', { name: 'Response body' })),
      headers: inOrder(
        press('Execute Request', (page) => page.getByRole('textbox', { name: 'Response body' })),
        async (page) => {
          await page.getByRole('tab', { name: 'Headers' }).click();
          await expect(page.getByRole('table', { name: 'Response headers' })).toBeVisible();
        },
      ),
      history: inOrder(
        press('Execute Request', (page) => page.getByRole('textbox', { name: 'Response body' })),
        async (page) => {
          await page.getByRole('tab', { name: /^History/ }).click();
          await expect(button(page, 'Clear history')).toBeVisible();
        },
      ),
      'armed to delete a collection': async (page) => {
        await page.getByRole('tab', { name: 'Collections', exact: true }).click();
        const card = page.getByRole('article', { name: 'Delete a collection' });
        await card.getByRole('heading').getByRole('button').click();
        await card.getByRole('button', { name: 'Execute Request' }).hover();
      },
      'another project, nothing chosen': inOrder(
        goes('/api-playground', text('Configuration')),
        async (page) => {
          await page.getByRole('tab', { name: 'Overrides', exact: true }).click();
          await expect(page.getByText('Select a collection to enable this endpoint').first()).toBeVisible();
        },
      ),
      'no key': inOrder(
        goes('/api-playground', text('Configuration')),
        chooses('Project', 'Online shop'),
        chooses('Collection', 'products'),
        press('Execute Request', text('API Key Required')),
      ),
    },
  },
  {
    name: 'monitoring',
    route: '/monitoring',
    path: () => '/monitoring',
    shown: (page) => page.getByRole('rowheader', { name: /products/ }),
    empty: { shown: heading('No alerts') },
    dialogs: {
      'a new rule': opens('New rule'),
      'a rule': opens('Edit Disk is nearly full'),
      'deleting a rule, armed': opens('Delete Disk is nearly full'),
    },
    states: {
      'as tables': async (page) => {
        const toTable = page.getByRole('button', { name: /table/ });
        await expect(toTable).toHaveCount(4);
        while ((await toTable.count()) > 0) await toTable.first().click();
        await expect(page.getByRole('button', { name: /chart/ })).toHaveCount(4);
      },
      'thirty days': goes('/monitoring?range=30d', (page) =>
        page.getByRole('rowheader', { name: /products/ }),
      ),
      'a rule without a name': inOrder(
        opens('New rule'),
        pressIn('Create rule', (page) => dialogOf(page).locator('[aria-invalid="true"]')),
      ),
    },
  },
  {
    name: 'documentation',
    route: '/documentation/',
    path: () => '/documentation',
    shown: heading('Getting Started'),
    canFail: false,
    empty: { shown: text(/^Your own collection and key/) },
    states: {
      found: goes('/documentation?q=keep%20a%20document%20on%20top', (page) =>
        page.getByRole('region', { name: 'In the articles' }).getByRole('link'),
      ),
      'nothing found': goes('/documentation?q=qqqxyz', text('Nothing is said about')),
    },
  },
  {
    name: 'an article',
    route: '/documentation/$article',
    path: () => '/documentation/filters',
    shown: (page) => page.getByRole('figure'),
    canFail: false,
    empty: { shown: text(/^Your own collection and key/) },
    states: {
      'with tables': goes('/documentation/limits', (page) => page.getByRole('table')),
      'none such': goes('/documentation/no-such', heading('Article not found')),
    },
  },
];
