import { expect, type Page, test } from '@playwright/test';
import { addCollection, type Place, startWithProject } from './account.ts';
import { catalogue } from './catalogue.ts';
import { settled } from './settled.ts';

/** What the console looks like in the states and at the widths where looks break. */

let place: Place;
test.beforeEach(async ({ page, baseURL }) => {
  place = await startWithProject(page, baseURL ?? '');
});

/** 128 characters without a place to break, as many words of a script that is written from the right, and ordinary ones. */
const names = ['W'.repeat(128), 'متجر '.repeat(25).trim(), 'products'];

test('no name is wider than a phone, whatever it is made of', async ({ page, baseURL }) => {
  for (const name of names) await addCollection(page, baseURL ?? '', place.projectId, name, catalogue);
  const post = (path: string, data: object) =>
    page.request.post(path, { data, headers: { Origin: baseURL ?? '' } });
  for (const name of names) {
    const description = 'Ω'.repeat(300);
    await post('/api/projects', {
      name: `${name}`.slice(0, 126),
      description,
      workspaceId: place.workspaceId,
    });
    await post('/api/api-keys', { name, projectId: place.projectId, permissions: ['read'] });
  }
  const renamed = await page.request.post('/trpc/workspaces.update', {
    data: { id: place.workspaceId, name: names[0] },
    headers: { Origin: baseURL ?? '' },
  });
  expect(renamed.ok(), await renamed.text()).toBe(true);

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [path, landmark] of [
      ['/dashboard', 'Recent Collections'],
      ['/collections', 'Collections'],
      ['/projects', 'Projects'],
      [`/projects/${place.projectId}`, 'Online shop'],
      [`/projects/${place.projectId}?tab=api-keys`, 'Online shop'],
      ['/search?q=kettle', 'Vector Search'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: landmark }).first()).toBeVisible();
      await settled(page);
      expect(await widerThanScreen(page), `${path} at ${width}`).toEqual([]);
    }
  }
});

test('a name is written in the direction of its script', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'متجر الكتب');
  await page.goto('/collections');
  const heading = page.getByRole('heading', { name: 'متجر الكتب' });
  await expect(heading).toBeVisible();
  expect(await heading.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('the face is there before the first words, and nothing jumps', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of ['/', '/dashboard', '/collections', '/projects', `/projects/${place.projectId}`]) {
    await page.goto(path);
    await expect(page.locator('h1').first()).toBeVisible();
    await settled(page);
    const { shift, faces } = await page.evaluate(() => ({
      shift: (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
      faces: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    }));
    expect(shift, `layout shift of ${path}`).toBeLessThanOrEqual(0.02);
    expect(
      faces.map((family) => family.replaceAll('"', '')),
      path,
    ).toContain('Onest');
  }
});

test('the demo box says that nothing fits, and the demo can be watched', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('searchbox', { name: 'Search for products' });
  await box.fill('qqqxyz');
  await expect(page.getByRole('status').filter({ hasText: 'Nothing in this shop fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Watch Demo' }).click();
  await expect(box).toHaveValue('something to keep me warm');
  await expect(page.getByRole('status').filter({ hasText: 'best hits' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Score 0\.\d+|^Score 1\./ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Stop Demo' }).click();
  await expect(page.getByRole('button', { name: 'Watch Demo' })).toBeVisible();
});

/** What makes the page wider than its screen; none where it is not. */
async function widerThanScreen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [
      `${scrollWidth - clientWidth} px`,
      ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 160)),
    ];
  });
}
