import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, password, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { watchConsole } from './console-watch.ts';
import { readStoredZip } from './stored-zip.ts';

/** What the settings promise, in one walk of one account; this server sends no mail. */

const newPassword = 'another horse battery staple';

const toasted = (page: Page, words: string) =>
  expect(page.getByRole('region', { name: 'Notification' }).getByText(words)).toBeVisible();
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an account is looked after in its settings', async ({ page, baseURL: given, browser }) => {
  const baseURL = given ?? '';
  const { email, projectId } = await startWithProject(page, baseURL);
  const username = email.split('@', 1)[0] ?? '';
  const watch = watchConsole(page);

  await test.step('the theme is chosen', async () => {
    await page.goto('/settings');
    await page.getByRole('radio', { name: 'Dark' }).press('Space');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await page.getByRole('radio', { name: 'System' }).press('Space');
  });

  await test.step('the profile is prefilled and saved', async () => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByLabel('First Name')).toHaveValue('Eve');
    await expect(page.getByLabel('Last Name')).toHaveValue('Tester');
    await expect(page.getByLabel('Username')).toHaveValue(username);
    await expect(page.getByLabel('Email Address')).toHaveValue(email);
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    await expectAccessible(page, 'settings, profile');
    await page.getByLabel('First Name').fill('Ada');
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await toasted(page, 'Profile updated');
    await toasted(page, 'Your profile has been successfully updated.');
    await expect(page.getByLabel('Sidebar').getByText('Ada Tester')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('First Name')).toHaveValue('Ada');
  });

  await test.step('another email takes the password', async () => {
    await page.getByLabel('Email Address').fill(`new-${email}`);
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await expect(page.getByText('Current password is required.')).toBeVisible();
    await page.getByLabel('Current Password').fill('not my password');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Current password is not right.')).toBeVisible();
    await expectStateAccessible(page, 'settings, email refused');
    await page.getByLabel('Current Password').fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Current Password')).toBeHidden();
    await expect(page.getByLabel('Sidebar').getByText(`new-${email}`)).toBeVisible();
  });

  const elsewhere = await browser.newContext({ baseURL });
  const signIn = () =>
    elsewhere.request.post('/api/auth/login', {
      data: { email: `new-${email}`, password },
      headers: { Origin: baseURL },
    });
  const isSignedIn = async () => (await elsewhere.request.get('/api/auth/me')).status() === 200;

  await test.step('other sessions are shown and ended', async () => {
    expect((await signIn()).ok()).toBe(true);
    await page.getByRole('tab', { name: 'Security' }).click();
    await expect(page).toHaveURL(/tab=security/);
    const sessions = panel(page, 'Where you are signed in').getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
    await expectAccessible(page, 'settings, security');
    await sessions.getByRole('button', { name: /^Sign out/ }).click();
    await expect(sessions).toHaveCount(1);
    expect(await isSignedIn()).toBe(false);
  });

  await test.step('the password is changed, which signs out everywhere else', async () => {
    expect((await signIn()).ok()).toBe(true);
    const form = panel(page, 'Password');
    await form.getByLabel('Current password').fill(password);
    await form.getByLabel('New password').fill(newPassword);
    await form.getByLabel('Confirm password').fill('something else');
    await form.getByRole('button', { name: 'Change Password' }).click();
    await expect(form.getByText("Passwords don't match")).toBeVisible();
    await form.getByLabel('Confirm password').fill(newPassword);
    await form.getByRole('button', { name: 'Change Password' }).click();
    await toasted(page, 'You are signed out everywhere else.');
    expect(await isSignedIn()).toBe(false);
    expect((await signIn()).status()).toBe(401);
  });

  await test.step('what happened to the account is told, with the try that failed', async () => {
    const history = page.getByRole('list', { name: 'Sign-in history, newest first' });
    await expect(history.getByRole('listitem').first()).toContainText('Password changed');
    await expect(history.getByRole('listitem').last()).toContainText('Account created');
    // Tries that failed are written some seconds later.
    await expect(async () => {
      await page.reload();
      await expect(history).toContainText('Sign-in with a wrong passwordFailed', { timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
    await expectAccessible(page, 'settings, sign-in history');
  });

  let secret = '';
  const codeAfter = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  const dialog = page.getByRole('dialog');

  await test.step('a second factor is set up with an app', async () => {
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(dialog.getByLabel(/^Your password/)).toBeFocused();
    await page.keyboard.type(newPassword);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    await expectStateAccessible(page, 'settings, second factor');
    secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    await dialog.getByLabel('Code that the app shows').fill('000000');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(/Code is not right/)).toBeVisible();
    await dialog.getByLabel('Code that the app shows').fill(codeAfter(0));
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await expect(dialog.getByText(/^Keep these recovery codes/)).toBeFocused();
    await expectStateAccessible(page, 'settings, recovery codes');
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await saved).suggestedFilename()).toBe('vectora-recovery-codes.txt');
    await dialog.getByLabel('I have kept them').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(panel(page, 'Two-step sign-in').getByText('10 recovery codes are left')).toBeVisible();
  });

  await test.step('and turned off with a code', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Your password').fill(newPassword);
    await dialog.getByLabel('Code').fill(codeAfter(1));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(panel(page, 'Two-step sign-in').getByText('Off', { exact: true })).toBeVisible();
  });

  await test.step('a workspace is renamed, deleted with its name typed, and brought back', async () => {
    await page.getByRole('tab', { name: 'Workspace' }).click();
    const form = panel(page, 'Workspace');
    await expect(form.getByLabel('Name')).toHaveValue("Eve's Workspace");
    await expectAccessible(page, 'settings, workspace');
    await form.getByLabel('Name').fill('Acme');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await toasted(page, 'Workspace updated');
    await expect(page.getByRole('button', { name: 'Leave workspace' })).toBeDisabled();
    await expect(page.getByText('You are alone in it.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(dialog.getByRole('button', { name: 'Delete workspace' })).toBeDisabled();
    await dialog.getByRole('textbox').fill('Acme');
    await page.keyboard.press('Enter');
    await toasted(page, 'Workspace deleted');
    await expect(page.getByText('Select a Workspace')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(form.getByLabel('Name')).toHaveValue('Acme');
  });

  await test.step('the audit log tells who did what, is filtered in the address, and is exported', async () => {
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const rows = page.getByRole('table').locator('tbody tr');
    await expect(rows.first()).toContainText('Workspace restored');
    await expect(rows.filter({ hasText: 'Workspace deleted' })).toContainText('workspace Acme');
    await expectAccessible(page, 'settings, audit log');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Workspace updated' }).click();
    await expect(page).toHaveURL(/action=workspaces\.update/);
    await expect(rows).toHaveCount(1);
    await rows.getByRole('button').click();
    await expect(dialog).toContainText("Eve's Workspace");
    await expect(dialog).toContainText('Acme');
    await expectStateAccessible(page, 'settings, audit entry');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('audit-log.csv');
    const [head, entry, ...rest] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toMatch(/^id,createdAt,action,/);
    expect(entry).toContain(`,workspaces.update,done,1,user,`);
    expect(rest).toEqual(['']);
    await page.goto('/settings?tab=audit&action=apiKeys.delete');
    await expect(page.getByText('No entries found')).toBeVisible();
    await expectStateAccessible(page, 'settings, audit log, nothing found');
  });

  await test.step('what the account owns is exported as files that an import reads', async () => {
    await addCollection(page, baseURL, projectId, 'Läden & more', catalogue);
    await page.goto('/settings?tab=data');
    await expectAccessible(page, 'settings, data');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export everything' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^vectora-export-.*\.zip$/);
    await expect(page.getByText(/^Saved: 1 collection,/)).toBeVisible();
    const files = readStoredZip(await readFile(await file.path()));
    const find = (end: string) => [...files].find(([name]) => name.endsWith(end))?.[1] ?? '';
    expect(JSON.parse(find('account.json'))).toMatchObject({ email: `new-${email}` });
    expect(find('README.txt')).toContain(baseURL);
    const post = (path: string, data: unknown, type = 'application/json') =>
      page.request.post(path, { data, headers: { Origin: baseURL, 'Content-Type': type } });
    const body = { ...JSON.parse(find('/collection.json')), name: 'again', projectId };
    expect((await post('/api/collections', body)).ok()).toBe(true);
    const imported = await post(
      '/api/collections/again/documents/import',
      find('/documents.ndjson'),
      'application/x-ndjson',
    );
    expect(imported.ok()).toBe(true);
    const found = await page.request.get('/api/collections/again/search?q=kettle');
    expect(await found.json()).toMatchObject({ hits: [{ id: 'kettle' }] });
  });

  await test.step('an account is deleted by its name and password, and is no more', async () => {
    await page.getByRole('button', { name: 'Delete account' }).click();
    const deletes = dialog.getByRole('button', { name: 'Delete account' });
    await expect(deletes).toBeDisabled();
    await dialog.getByLabel(/Type your username/).fill(username);
    await dialog.getByLabel('Your password').fill('not my password');
    await deletes.click();
    await expect(dialog.getByText('Password is not right.')).toBeVisible();
    await expectStateAccessible(page, 'settings, delete account');
    await dialog.getByLabel('Your password').fill(newPassword);
    await deletes.click();
    await expect(page).toHaveURL(/\/login$/);
    await toasted(page, 'Account deleted');
    await page.getByLabel('Email').fill(`new-${email}`);
    await page.getByLabel('Password', { exact: true }).fill(newPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Invalid email or password')).toBeVisible();
  });

  watch.expectQuiet(/status of 40[01]/);
  await elsewhere.close();
});
