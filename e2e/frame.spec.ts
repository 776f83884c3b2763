import { expect, test } from '@playwright/test';
import { expectAccessible, expectStateAccessible } from './accessibility.ts';
import { addCollection, type Place, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';

/** What stands around every page: the way through the console, and what it does when the network does not. */

let place: Place;
test.beforeEach(async ({ page, baseURL }) => {
  place = await startWithProject(page, baseURL ?? '');
});

test('one request asks for all that the frame needs', async ({ page }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('combobox', { name: 'Workspace' })).not.toHaveValue('');
  const answered: string[] = [];
  // What the page asked for before it was loaded anew is not meant.
  page.on('framenavigated', () => {
    answered.length = 0;
  });
  // A request that a busy server turned away is sent once more.
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/trpc/') && response.ok()) answered.push(pathname.replace('/trpc/', ''));
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  expect(answered).toContain('auth.me,workspaces.list,projects.list');
  expect(answered.join(',').match(/auth\.me|workspaces\.list|projects\.list/g)).toHaveLength(3);
});

test('the sidebar is 16rem wide, 4rem collapsed, and opens under the pointer', async ({ page }) => {
  await page.goto('/dashboard');
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const width = async () => (await sidebar.boundingBox())?.width;
  await expect(sidebar).toBeVisible();
  expect(await width()).toBe(16 * 16);
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(width).toBe(4 * 16);
  await page.reload();
  await expect(sidebar).toBeVisible();
  expect(await width()).toBe(4 * 16);
  await sidebar.hover();
  await expect.poll(width).toBe(16 * 16);
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  await page.getByRole('heading', { level: 1 }).click();
  expect(await width()).toBe(16 * 16);
});

test('a toast is at most 420 pixels wide, and swiped away to the right by 50', async ({ page }) => {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New Project' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Winter shop');
  await page.keyboard.press('Enter');
  const toast = page.getByRole('region', { name: 'Notification' }).getByRole('listitem');
  await expect(toast).toContainText('Project created');
  const box = await toast.boundingBox();
  if (!box) throw new Error('the toast has a place');
  expect(box.width).toBeLessThanOrEqual(420);
  const swipe = async (pixels: number) => {
    const [x, y] = [box.x + 80, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels / 2, y, { steps: 4 });
    await page.mouse.move(x + pixels, y, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(40);
  await expect(toast).toHaveAttribute('data-swipe', 'cancel');
  await expect(toast).toBeVisible();
  await swipe(60);
  await expect(toast).toBeHidden();
});

test('the palette finds pages, things and documents, by keyboard alone', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search everything' });
  await expect(box).toBeFocused();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('kettle');
  await expect(page.getByRole('option', { name: /Gooseneck kettle.*products/ })).toBeVisible();
  await expectStateAccessible(page, 'palette, a document');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?.*collection=\d+/);
  await expect(page.getByRole('list', { name: 'Hits' }).locator('> li').first()).toContainText(
    'Gooseneck kettle',
  );
  // The document stands open beside the hits.
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search query' })).toBeFocused();
  await page.keyboard.type('?gc');
  await expect(page).toHaveURL(/\/search/);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectStateAccessible(page, 'keyboard shortcuts');
  await page.keyboard.press('Escape');
  // Keys are the dialog's until it is gone.
  await expect(page.locator('[role="dialog"], [role="menu"]')).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/projects$/);
});

test('what is pressed while a dialog fades out is the page’s', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => {
    const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
    return dialog === null || dialog.style.opacity === '0';
  });
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeFocused();
});

test('a page whose code could not be fetched opens by itself when the network is back', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Collections', exact: true }).first().click();
  await expect(page.getByText('The page opens by itself when you are back.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Collections' })).toBeVisible();
});

test('a server that does not answer is said, and what failed comes back by itself', async ({ page }) => {
  await page.route(/\/trpc\/|\/health$/, (route) => route.abort());
  await page.goto('/projects');
  await expect(page.getByText('Vectora', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/opens as soon as there is an answer/)).toBeVisible();
  await expectStateAccessible(page, 'without a server');
  await page.unrouteAll({ behavior: 'wait' });
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();

  const project = page.getByRole('link', { name: 'Online shop' });
  await expect(project).toBeVisible();
  // What else is on its way fails too, and what is loaded stays.
  await page.route(/\/trpc\/|\/health$/, (route) => route.abort());
  await project.click();
  await expect(page.getByText('The server cannot be reached. This page asks again by itself.')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(page.getByRole('heading', { level: 1, name: 'Online shop' })).toBeVisible();
  await expect(page.getByText('The server cannot be reached.')).toBeHidden();
});

test('where not even the code can be fetched, the page says so and opens by itself', async ({ page }) => {
  await page.route(/\/assets\/.*\.js$|\/health$/, (route) => route.abort());
  await page.goto('/projects');
  await expect(page.getByText('This page opens by itself when it is back.')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});

test('names of 128 characters stay in the frame', async ({ page, baseURL }) => {
  const answer = await page.request.post('/trpc/workspaces.update', {
    data: { id: place.workspaceId, name: 'w'.repeat(128) },
    headers: { Origin: baseURL ?? '' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  for (const path of ['/dashboard', '/collections', '/projects']) {
    await page.goto(path);
    await expect(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue('w'.repeat(128));
    await expectStateAccessible(page, `${path} with a long name`);
  }
});
