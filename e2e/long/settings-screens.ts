import { expect } from '@playwright/test';
import { arms, button, dialogOf, goes, inOrder, opens, press, pressIn, type Screen, text } from './screen.ts';

const tab = (name: string) => ({
  name: `settings: ${name}`,
  route: '/settings',
  path: () => `/settings?tab=${name}`,
});

/** The account's settings and the workspace's, tab by tab. */
export const settingsScreens: Screen[] = [
  {
    ...tab('profile'),
    shown: (page) => button(page, 'Update Profile'),
    canFail: false,
    states: {
      'another email without the password': async (page) => {
        await page.getByLabel('Email Address').fill('somebody@example.com');
        await button(page, 'Update Profile').click();
        await expect(page.getByText('Current password is required.')).toBeVisible();
      },
    },
  },
  {
    ...tab('security'),
    shown: text('This browser'),
    dialogs: { 'two steps': opens('Set up') },
    states: {
      'passwords that differ': async (page) => {
        const form = page.getByRole('region', { name: 'Password', exact: true });
        await form.getByLabel('Current password').fill('correct horse battery staple');
        await form.getByLabel('New password').fill('another horse battery staple');
        await form.getByLabel('Confirm password').fill('something else');
        await button(page, 'Change Password').click();
        await expect(form.getByText("Passwords don't match")).toBeVisible();
      },
    },
  },
  {
    ...tab('workspace'),
    shown: (page) => button(page, 'Delete workspace'),
    canFail: false,
    dialogs: {
      'delete, armed': inOrder(opens('Delete workspace'), arms("Eve's Workspace", 'Delete workspace')),
    },
  },
  {
    ...tab('members'),
    shown: text('Anybody with the link'),
    dialogs: {
      inviting: opens('Invite member'),
      'no address': inOrder(opens('Invite member'), async (page) => {
        await dialogOf(page).getByLabel('Email').fill('no address');
        await pressIn('Create invitation', (shown) =>
          dialogOf(shown).getByText('Email must be an email address.'),
        )(page);
      }),
    },
    states: {
      invited: inOrder(
        opens('Invite member'),
        pressIn('Create invitation', (page) => dialogOf(page).getByRole('textbox', { name: 'Link' })),
      ),
    },
  },
  {
    ...tab('audit'),
    shown: (page) => page.getByRole('table').locator('tbody tr'),
    dialogs: {
      'an entry': async (page) => {
        await page.getByRole('table').locator('tbody tr').first().getByRole('button').click();
        await expect(dialogOf(page)).toBeVisible();
      },
      export: press('Export', (page) => page.getByRole('menu')),
    },
    states: { 'nothing found': goes('/settings?tab=audit&action=apiKeys.delete', text('No entries found')) },
  },
  {
    ...tab('data'),
    shown: (page) => button(page, 'Export everything'),
    canFail: false,
    dialogs: { 'deleting the account': opens('Delete account') },
  },
];
