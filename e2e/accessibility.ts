import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/** All of these tags' rules that look at colours: the dark page is the light one in others. */
const ofColors = ['color-contrast', 'link-in-text-block'];

/** No axe violation in light nor dark, and nothing wider than the narrowest screen (WCAG 1.4.10). `name` says which screen failed. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await accessibilityFaults(page), name).toEqual([]);
}

/** What `expectAccessible` wants none of, each with its scheme. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await (await rulesFor(page, colorScheme)).analyze();
    for (const { id, help, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${colorScheme}: ${id}: ${help}: ${target.join(' ')} ${failureSummary ?? ''}`);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const overflow = await widerThan(page, 320, 640);
  return overflow > 0 ? [...found, `${overflow} pixels wider than 320`] : found;
}

/** The same of one more state of a screen, where time is no matter: axe takes 1.6 s of a processor each time, and `npm run test:long` sees them all. */
export async function expectStateAccessible(page: Page, name: string): Promise<void> {
  if (process.env['LONG_TESTS']) await expectAccessible(page, name);
}

/** As the page stands, with what is open in it and what the pointer is on: no text of too little contrast, in light nor dark. */
export async function expectColorsReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await (await rulesFor(page, 'dark')).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/**
 * What is found in a page without frames is put together there; otherwise another page is opened for that. A page that has axe keeps it:
 * to read its half megabyte, twice for each look, took a third of the processors' time of all looks.
 */
async function rulesFor(page: Page, colorScheme: 'light' | 'dark'): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => 'axe' in window);
  // Of what is as it should be not every node is told.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode();
  return colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(ofColors);
}

/** By how many pixels the page is wider than such a screen; it stays as large as it is. */
export async function widerThan(page: Page, width: number, height: number): Promise<number> {
  const size = page.viewportSize();
  await page.setViewportSize({ width, height });
  // What floats over the page is placed anew some frames later.
  const overflow = await page.evaluate(async () => {
    const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    for (let frame = 0; frame < 30 && wider() > 0; frame += 1) await new Promise(requestAnimationFrame);
    return wider();
  });
  if (size) await page.setViewportSize(size);
  return Math.max(0, overflow);
}
