import { expect, type Page, test } from '@playwright/test';
import { expectColorsReadable } from '../accessibility.ts';
import { addCollection, type Place, startWithProject } from '../account.ts';
import { catalogue } from '../catalogue.ts';
import { settled } from '../settled.ts';

/** What every control looks like with the focus, and in the states that colors break in. */

let place: Place;
test.beforeEach(async ({ page, baseURL }) => {
  place = await startWithProject(page, baseURL ?? '');
});

test('every control has the same ring around it that has the focus', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  for (const path of [
    '/',
    '/login',
    '/dashboard',
    '/collections',
    `/projects/${place.projectId}`,
    '/search',
  ]) {
    if (path === '/login') await page.context().clearCookies();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(path);
      await expect(page.locator('h1').first()).toBeVisible();
      await settled(page);
      expect(await withoutRing(page), `${path}, ${colorScheme}`).toEqual([]);
    }
    if (path === '/login') place = await startWithProject(page, baseURL ?? '');
  }
});

test('what is armed, open or under the pointer can be read', async ({ page, baseURL }) => {
  await addCollection(page, baseURL ?? '', place.projectId, 'products', catalogue);
  await page.goto('/');
  await page.getByRole('button', { name: 'Schedule Demo' }).click();
  await expect(page.getByText('named nobody to write to')).toBeVisible();
  await expectColorsReadable(page, 'contact');

  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Actions for products' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).hover();
  await expectColorsReadable(page, 'menu of a row, on Delete');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View as table' }).hover();
  await expectColorsReadable(page, 'view as table, under the pointer');

  await page.goto('/collections');
  await page.getByRole('button', { name: 'Delete products' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('products');
  const armed = page.getByRole('dialog').getByRole('button', { name: 'Delete collection' });
  await expect(armed).toBeEnabled();
  await expectColorsReadable(page, 'deleting a collection, armed');
  await armed.hover();
  await expectColorsReadable(page, 'deleting a collection, under the pointer');

  await page.goto(`/projects/${place.projectId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Online shop' })).toBeVisible();
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Delete Online shop' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Online shop');
  await expectColorsReadable(page, 'deleting a project, armed');
});

/** Goes through the page by Tab. @returns the controls whose ring is another one, or none */
async function withoutRing(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (let presses = 0; presses < 45; presses += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return 'the end';
      const probe = document.createElement('i');
      probe.style.setProperty('color', 'var(--vx-ring)');
      (focused.parentElement ?? focused).append(probe);
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      const isRing = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
        outlineStyle === 'solid' && outlineWidth === '2px' && outlineColor === wanted;
      // On the control, on what stands for it beside it, or on the card that its link covers.
      const styles = [
        focused,
        focused.nextElementSibling,
        focused.parentElement,
        focused.parentElement?.parentElement,
      ].flatMap((element) =>
        element ? [getComputedStyle(element), getComputedStyle(element, '::after')] : [],
      );
      return styles.some(isRing) ? null : focused.outerHTML.slice(0, 160);
    });
    if (fault === 'the end') break;
    if (fault) found.push(fault);
  }
  return found;
}
