import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, password, startWithProject } from './account.ts';
import { watchConsole } from './console-watch.ts';

/** A workspace is shared: one walk of its owner and of somebody who is invited, each in a browser of their own. */

const toasted = (page: Page, words: string) =>
  expect(page.getByRole('region', { name: 'Notification' }).getByText(words)).toBeVisible();
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a member is invited, sees the workspace by the role, and loses it at once', async ({
  page,
  baseURL: given,
  browser,
}) => {
  const baseURL = given ?? '';
  const { projectId, workspaceId } = await startWithProject(page, baseURL);
  const films = await addCollection(page, baseURL, projectId, 'Films', [{ id: '1', title: 'Metropolis' }]);
  const renamed = await page.request.put(`/api/workspaces/${workspaceId}`, {
    data: { name: 'Film club' },
    headers: { Origin: baseURL },
  });
  expect(renamed.ok()).toBe(true);
  const watch = watchConsole(page);
  const guest = await (await browser.newContext({ baseURL, reducedMotion: 'reduce' })).newPage();
  const guestWatch = watchConsole(guest);
  let link = '';

  await test.step('an invitation is a link, which is shown once', async () => {
    await page.goto('/settings?tab=members');
    await expect(panel(page, 'Members').getByRole('listitem')).toHaveCount(1);
    await expect(panel(page, 'Members').getByText('Only owner')).toBeVisible();
    await expect(panel(page, 'Invitations').getByText('Nobody is invited.')).toBeVisible();
    await expectAccessible(page, 'settings, members');
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite member' });
    await dialog.getByLabel('Email').fill('no address');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await expect(dialog.getByText('Email must be an email address.')).toBeVisible();
    await dialog.getByLabel('Email').fill('');
    await expectStateAccessible(page, 'settings, members, inviting');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    await expectStateAccessible(page, 'settings, members, invited');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(panel(page, 'Invitations').getByText('Anybody with the link')).toBeVisible();
  });

  await test.step('whoever opens it signs up and comes back to accept', async () => {
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'Join Film club' })).toBeVisible();
    await expect(guest.getByText('invites you as a viewer')).toBeVisible();
    await expectAccessible(guest, 'invitation');
    await guest.getByRole('link', { name: 'Create an account' }).click();
    const username = `ada-${Date.now()}`;
    await guest.getByLabel('Username').fill(username);
    await guest.getByLabel('Email').fill(`${username}@example.com`);
    await guest.getByLabel(/^Password/).fill(password);
    await guest.getByLabel(/^Confirm password/).fill(password);
    await guest.getByRole('button', { name: 'Create account' }).click();
    await expect(guest).toHaveURL(link);
    await guest.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(guest).toHaveURL(/\/dashboard$/);
    await toasted(guest, 'You joined Film club');
    await expect(guest.getByRole('combobox', { name: 'Workspace' })).toHaveValue('Film club (viewer)');
  });

  await test.step('a viewer searches, and is shown nothing to write with', async () => {
    await guest.goto('/collections');
    await expect(guest.getByRole('link', { name: 'Films' })).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Create Collection' })).toHaveCount(0);
    await expect(guest.getByRole('button', { name: 'Edit Films' })).toHaveCount(0);
    await guest.goto(`/collections/${films}`);
    await expect(guest.getByText('Metropolis')).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Add document' })).toHaveCount(0);
    await expect(guest.getByRole('button', { name: 'Import' })).toHaveCount(0);
    await guest.goto('/settings?tab=members');
    await expect(panel(guest, 'Members').getByRole('listitem')).toHaveCount(2);
    await expect(guest.getByRole('button', { name: 'Invite member' })).toHaveCount(0);
  });

  await test.step('a role that is given is there at once', async () => {
    const members = panel(page, 'Members').getByRole('listitem');
    await expect(members).toHaveCount(2);
    await guest.goto('/collections');
    await expect(guest.getByRole('link', { name: 'Films' })).toBeVisible();
    await members
      .last()
      .getByRole('combobox', { name: /^Role of/ })
      .click();
    await page.getByRole('option', { name: /^Editor/ }).click();
    await toasted(page, 'Role changed');
    await expect(guest.getByRole('button', { name: 'Create Collection' })).toBeVisible();
    await expectStateAccessible(page, 'settings, members, two');
  });

  await test.step('who is removed sees it no more, on the page that is open', async () => {
    await panel(page, 'Members')
      .getByRole('button', { name: /^Remove/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Remove member' });
    await expectStateAccessible(page, 'settings, members, removing');
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await expect(panel(page, 'Members').getByRole('listitem')).toHaveCount(1);
    await expect(guest.getByRole('link', { name: 'Films' })).toHaveCount(0);
    await expect(guest.getByRole('combobox', { name: 'Workspace' })).not.toHaveValue(/Film club/);
    const refused = await guest.request.get(`/api/collections/${films}`);
    expect(refused.status()).toBe(404);
  });

  await test.step('a link that was used says so', async () => {
    await guest.goto(link);
    await expect(guest.getByText('It was accepted already')).toBeVisible();
    await guest.goto('/invitations/made-up');
    await expect(guest.getByText('There is no such invitation')).toBeVisible();
  });

  watch.expectQuiet();
  guestWatch.expectQuiet(/status of 40[14]/);
  await guest.context().close();
});
