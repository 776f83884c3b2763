import { expect, type Page } from '@playwright/test';
import { accessibilityFaults } from '../accessibility.ts';
import { failProcedures } from '../fail-procedures.ts';
import { screens } from './all-screens.ts';
import { openScreen, type Screen, settled } from './screen.ts';
import { emptySite, type Site } from './site.ts';
import { test } from './test.ts';

/** WCAG 2.1 A and AA, light and dark, and 320 pixels: every page loaded, empty, failed, and with whatever it opens. */

async function look(page: Page, screen: Screen, state: string): Promise<void> {
  expect.soft(await accessibilityFaults(page), `${screen.name}, ${state}`).toEqual([]);
}

/** A state that is not come to fails the test, and does not hide the others. */
async function inState(state: string, act: () => Promise<void>): Promise<void> {
  await test.step(state, async () => {
    const failed = await act().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect.soft(failed, state).toBe('');
  });
}

/** Each is begun on the page as it is loaded; what is left open by one is not there in the next. */
async function lookAtStates(page: Page, screen: Screen, site: Site): Promise<void> {
  for (const [state, act] of Object.entries({ ...screen.dialogs, ...screen.states }))
    await inState(state, async () => {
      await openScreen(page, screen, site);
      await act(page);
      await look(page, screen, state);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
}

/** What the frame asks for; without it there is no page that could fail. */
const ofTheFrame = /^(auth\.|workspaces\.list$|live\.)/;

async function lookAtFailure(page: Page, screen: Screen, site: Site): Promise<void> {
  await failProcedures(page, (procedure) => !ofTheFrame.test(procedure));
  await page.route('**/api/openapi.json', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(screen.path(site));
  await expect(page.getByRole('alert').first()).toBeVisible();
  await settled(page);
  await look(page, screen, 'failed');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

for (const screen of screens) {
  test(`axe: ${screen.name}`, async ({ page, site, baseURL }) => {
    if (screen.isPublic) await page.context().clearCookies();
    await inState('loaded', async () => {
      await openScreen(page, screen, site);
      await look(page, screen, 'loaded');
    });
    if (screen.canFail !== false) await inState('failed', () => lookAtFailure(page, screen, site));
    await lookAtStates(page, screen, site);
    const { empty } = screen;
    if (!empty) return;
    await inState('empty', async () => {
      await page.context().clearCookies();
      const nothing = await emptySite(page, baseURL ?? '');
      await openScreen(page, { ...screen, path: empty.path ?? screen.path, shown: empty.shown }, nothing);
      await look(page, screen, 'empty');
    });
  });
}
