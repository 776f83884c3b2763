import { expect, type Page } from '@playwright/test';
import { widerThan } from '../accessibility.ts';
import { screens } from './all-screens.ts';
import { openScreen } from './screen.ts';
import { walkByTab } from './tab-walk.ts';
import { test } from './test.ts';

/** What no rule of axe sees: each page by keyboard alone, at 320 pixels, at 200 % zoom, and with as little motion as was asked for. */

const noFaults = { missed: [], withoutRing: [], unseen: [], outOfOrder: [], traps: [] };

for (const screen of screens) {
  test(`by keyboard, narrow, enlarged and still: ${screen.name}`, async ({ page, site }) => {
    if (screen.isPublic) await page.context().clearCookies();
    await openScreen(page, screen, site);
    expect.soft(await widerThan(page, 320, 640), 'pixels wider than 320').toBe(0);
    // 1280 pixels at 200 % are 640.
    expect.soft(await widerThan(page, 640, 360), 'pixels wider than 640').toBe(0);
    expect.soft(await movingThings(page), 'what moves').toEqual([]);
    expect.soft(await walkByTab(page), 'the page').toEqual(noFaults);
    await page.setViewportSize({ width: 320, height: 640 });
    await openScreen(page, screen, site);
    expect.soft(await walkByTab(page), 'the page at 320 pixels').toEqual(noFaults);
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const [name, act] of Object.entries(screen.dialogs ?? {}))
      await test.step(name, async () => {
        await openScreen(page, screen, site);
        await act(page);
        // In a menu the arrows lead on.
        if ((await page.getByRole('menu').count()) === 0)
          expect.soft(await walkByTab(page, { isDialog: true }), name).toEqual(noFaults);
        await expectLeft(page, name);
      });
  });
}

/** By Escape, and the focus is somewhere again. */
async function expectLeft(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Escape');
  const floating = page.locator('[role="dialog"], [role="menu"]').filter({ visible: true });
  await expect.soft(floating, `${name}: Escape closes it`).toHaveCount(0);
  const hasFocus = () => page.evaluate(() => document.activeElement !== document.body);
  await expect.soft.poll(hasFocus, `${name}: the focus comes back`).toBe(true);
}

/** What goes on moving, or takes its time to change, though the reader asked for as little motion as possible. */
async function movingThings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const endless = document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().duration ?? 0) > 1)
      .map((one) => `${(one as CSSAnimation).animationName ?? 'an animation'} goes on`);
    const longest = (list: string) => Math.max(...list.split(',').map((one) => Number.parseFloat(one)));
    const slow = [...document.querySelectorAll('body *')].filter((element) => {
      const { transitionProperty, transitionDuration, animationName, animationDuration } =
        getComputedStyle(element);
      const changes = transitionProperty !== 'none' && longest(transitionDuration) > 0.001;
      return changes || (animationName !== 'none' && longest(animationDuration) > 0.001);
    });
    return [...endless, ...slow.slice(0, 10).map((element) => element.outerHTML.slice(0, 120))];
  });
}
