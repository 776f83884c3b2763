import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/** All of these tags' rules that look at colours: the dark page is the light one in others. */
const ofColors = ['color-contrast', 'link-in-text-block'];

/** No axe violation in light nor dark, and nothing wider than the narrowest screen (WCAG 1.4.10). `name` says which screen failed. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await rulesFor(page, colorScheme).analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectReflow(page, name);
}

/** The same of one more state of a screen, where time is no matter: axe takes 1.6 s of a processor each time, and `npm run test:long` sees them all. */
export async function expectStateAccessible(page: Page, name: string): Promise<void> {
  if (process.env['LONG_TESTS']) await expectAccessible(page, name);
}

/** As the page stands, with what is open in it and what the pointer is on: no text of too little contrast, in light nor dark. */
export async function expectColorsReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await rulesFor(page, 'dark').analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** What is found in a page without frames is put together there; otherwise another page is opened for that. */
function rulesFor(page: Page, colorScheme: 'light' | 'dark'): AxeBuilder {
  // Of what is as it should be not every node is told.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  return colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(ofColors);
}

async function expectReflow(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name}: pixels wider than 320`).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}
