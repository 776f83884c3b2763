import { expect, type Page } from '@playwright/test';
import { button, dialogOf, heading, inOrder, opens, press, pressIn, type Screen, text } from './screen.ts';
import type { Site } from './site.ts';

const tab = (name: string, more = '') => ({
  route: '/collections/$id',
  path: ({ products }: Site) => `/collections/${products}?tab=${name}${more}`,
});
const drafts =
  (name: string) =>
  ({ drafts: id }: Site) =>
    `/collections/${id}?tab=${name}`;

const openKettle = async (page: Page) => {
  await page.getByRole('table').getByRole('button', { name: 'Gooseneck kettle' }).click();
  await expect(dialogOf(page).getByRole('tab', { name: 'JSON' })).toBeVisible();
};
const editor = (page: Page) => page.getByRole('textbox', { name: 'Document as JSON' });

/** Changes the open document in its editor. */
const edits = async (page: Page) => {
  await dialogOf(page).getByRole('button', { name: 'Edit', exact: true }).click();
  await editor(page).press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.insertText('"stock": 3, ');
};

/** One collection, tab by tab. The empty ones are those of a collection without documents. */
export const collectionScreens: Screen[] = [
  {
    name: 'documents',
    ...tab('documents'),
    shown: (page) => page.getByRole('table'),
    dialogs: {
      'a document': openKettle,
      'a document as JSON': inOrder(openKettle, async (page) => {
        await dialogOf(page).getByRole('tab', { name: 'JSON' }).click();
      }),
      'documents like it': inOrder(openKettle, async (page) => {
        await dialogOf(page).getByRole('tab', { name: 'Similar' }).click();
        await expect(dialogOf(page).getByRole('button', { name: /^Camping stove/ })).toBeVisible();
      }),
      columns: opens('Columns'),
    },
    states: {
      'as JSON': async (page) => {
        await page.getByText('JSON', { exact: true }).first().click();
        await expect(page).toHaveURL(/view=json/);
      },
      'a filter that cannot be read': async (page) => {
        await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('price:[1..');
        await expect(page.getByText(/^At character/)).toBeVisible();
      },
      'nothing passes': async (page) => {
        await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('price:>3000');
        await expect(page.getByRole('heading', { name: 'No documents found' })).toBeVisible();
      },
      'the editor': inOrder(openKettle, edits),
      'what an edit changes': inOrder(
        openKettle,
        edits,
        pressIn('Review changes', (page) => dialogOf(page).getByRole('button', { name: /^Save/ })),
      ),
      'an edit is left': inOrder(openKettle, edits, async (page) => {
        await dialogOf(page).getByRole('button', { name: 'Close document' }).click();
        await expect(page.getByRole('dialog')).toHaveCount(2);
      }),
      'a new document': press('Add document', editor),
    },
  },
  {
    name: 'documents of an empty collection',
    route: '/collections/$id',
    path: drafts('documents'),
    shown: (page) => page.getByRole('button', { name: 'Load the sample Products' }),
    canFail: false,
  },
  {
    name: 'schema',
    ...tab('schema'),
    shown: (page) => page.getByRole('table'),
  },
  {
    name: 'schema of an empty collection',
    route: '/collections/$id',
    path: drafts('schema'),
    shown: (page) => page.getByRole('tabpanel'),
    canFail: false,
  },
  {
    name: 'tuning: settings',
    ...tab('tuning', '&try=kettle'),
    shown: (page) => page.getByRole('list', { name: 'Now: hits' }),
    states: {
      'before and after': async (page) => {
        const typos = page.getByRole('radiogroup', { name: 'Typos that are forgiven in a word' });
        await typos.getByText('None', { exact: true }).click();
        await expect(page.getByRole('list', { name: 'Before: hits' })).toBeVisible();
      },
    },
  },
  {
    name: 'tuning: synonyms',
    ...tab('tuning', '&part=synonyms'),
    shown: text('kettle = teapot'),
    states: {
      'a new one': press('Add synonym', (page) => page.getByRole('textbox', { name: /Words and phrases/ })),
    },
  },
  {
    name: 'tuning: overrides',
    ...tab('tuning', '&part=overrides&try=camping'),
    shown: text('1 pinned'),
    states: {
      'pinned, not saved': press(/^Pin one higher/, (page) =>
        page.getByRole('list', { name: 'After: hits' }),
      ),
    },
  },
  {
    name: 'tuning of an empty collection',
    route: '/collections/$id',
    path: drafts('tuning'),
    shown: (page) => page.getByRole('tabpanel'),
    canFail: false,
  },
  {
    name: 'relevance',
    ...tab('relevance'),
    shown: (page) => page.getByRole('row', { name: /^camping stove/ }),
    dialogs: {
      judging: press('camping stove', (page) => page.getByRole('list', { name: 'Documents to judge' })),
    },
    states: { measured: press('Measure', text('nothing was changed since.')) },
  },
  {
    name: 'relevance of an empty collection',
    route: '/collections/$id',
    path: drafts('relevance'),
    shown: heading('No query is judged yet'),
    canFail: false,
  },
  {
    name: 'analytics',
    ...tab('analytics'),
    shown: heading('Searches by day'),
  },
  {
    name: 'analytics of an empty collection',
    route: '/collections/$id',
    path: drafts('analytics'),
    shown: text('No searches in these days'),
    canFail: false,
  },
  {
    name: 'map',
    ...tab('map'),
    shown: (page) => page.getByRole('application'),
    states: {
      'as a table': async (page) => {
        await page.goto(`${page.url()}&as=table`);
        await expect(page.getByRole('table')).toBeVisible();
      },
    },
  },
  {
    name: 'map of an empty collection',
    route: '/collections/$id',
    path: drafts('map'),
    shown: (page) => page.getByRole('tabpanel').getByRole('heading'),
    canFail: false,
  },
  {
    name: 'managing a collection',
    ...tab('manage'),
    shown: (page) => button(page, 'Make alias'),
    dialogs: { 'delete, armed': opens('Delete collection') },
    states: {
      verified: async (page) => {
        const trust = page.getByRole('region', { name: 'Trust' });
        await trust.getByRole('button', { name: 'Verify' }).click();
        await expect(trust).toContainText('Index = record');
      },
    },
  },
];
