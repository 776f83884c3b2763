import { expect } from '@playwright/test';
import {
  arms,
  creates,
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

/** The dashboard, and what holds collections. */
export const placeScreens: Screen[] = [
  {
    name: 'dashboard',
    route: '/dashboard',
    path: () => '/dashboard',
    shown: (page) => page.getByRole('button', { name: 'Actions for drafts' }),
    empty: { shown: (page) => page.getByRole('button', { name: 'Load the sample Films' }) },
    dialogs: {
      'create menu': opensMenu('Create'),
      'new workspace': creates('New Workspace'),
      'new project': creates('New Project'),
      'new collection': creates('New Collection'),
      notifications: press('Notifications', text(/^Nothing yet/)),
      'color scheme': opensMenu(/^Colour scheme/),
      palette: async (page) => {
        await page.getByRole('heading', { level: 1 }).focus();
        await page.keyboard.press('Control+k');
        await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeFocused();
      },
      shortcuts: async (page) => {
        await page.getByRole('heading', { level: 1 }).focus();
        await page.keyboard.press('?');
        await expect(dialogOf(page)).toBeVisible();
      },
      'menu of a row, on Delete': async (page) => {
        await page.getByRole('button', { name: 'Actions for products' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).hover();
      },
    },
    states: {
      'usage as a table': press('View as table', (page) => page.getByRole('table')),
      'a toast': async (page) => {
        await creates('New Project')(page);
        await dialogOf(page).getByLabel('Name').fill('Winter shop');
        await page.keyboard.press('Enter');
        await expect(page.getByText('Project created', { exact: true }).first()).toBeVisible();
      },
    },
  },
  {
    name: 'collections',
    route: '/collections/',
    path: () => '/collections',
    shown: (page) => page.getByRole('link', { name: 'products' }),
    empty: { shown: heading('No collections yet') },
    dialogs: {
      'create with fields': inOrder(
        opens('Create Collection'),
        pressIn('Add field', (page) => dialogOf(page).getByLabel('Name of field 1')),
      ),
      edit: opens('Edit products'),
      'delete, armed': inOrder(opens('Delete products'), arms('products', 'Delete collection')),
      // Its code asks for the keys.
      upload: press('Upload documents to products', (page) =>
        dialogOf(page).getByLabel('API key in the code'),
      ),
    },
    states: {
      'as a list': goes('/collections?view=list', (page) => page.getByRole('table')),
      'nothing found': goes('/collections?q=zzz', heading('No collections found')),
      'a name is missing': async (page) => {
        await opens('Edit products')(page);
        await dialogOf(page).getByLabel('Name').fill('');
        await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
        await expect(dialogOf(page).getByText('Collection name is required')).toBeVisible();
      },
    },
  },
  {
    name: 'projects',
    route: '/projects/',
    path: () => '/projects',
    shown: (page) => page.getByRole('link', { name: 'Online shop' }),
    dialogs: {
      create: opens('New Project'),
      edit: opens('Settings of Online shop'),
      'delete, armed': inOrder(opens('Delete Online shop'), arms('Online shop', 'Delete project')),
    },
    states: { 'nothing found': goes('/projects?q=zzz', heading('No projects found')) },
  },
  {
    name: 'a project',
    route: '/projects/$id',
    path: ({ projectId }) => `/projects/${projectId}`,
    shown: (page) => page.getByRole('row', { name: /products/ }),
    empty: { shown: heading('No collections yet') },
    dialogs: { edit: opens('Edit Project'), 'create a collection': opens('Create Collection') },
    states: {
      'no such project': goes('/projects/999999', heading('Project not found')),
    },
  },
  {
    name: 'a project’s keys',
    route: '/projects/$id',
    path: ({ projectId }) => `/projects/${projectId}?tab=api-keys`,
    shown: (page) => page.getByRole('row', { name: /Website/ }),
    empty: { shown: heading('No API keys yet') },
    dialogs: {
      create: inOrder(opens('Create API Key'), async (page) => {
        await dialogOf(page).getByText('Permissions, expiry and limits').click();
        await expect(dialogOf(page).getByLabel('Expires').first()).toBeVisible();
      }),
      'delete, armed': opens('Delete Website'),
    },
    states: {
      revealed: press('Reveal API key Website', (page) => page.getByText(/^vk_/)),
    },
  },
];
