import { expect, type Locator, type Page } from '@playwright/test';
import type { Site } from './site.ts';

/** What is done on a page that is shown. It ends once what it leads to is there. */
export type Act = (page: Page) => Promise<unknown>;

/** A page, and each of the states that it can be in. */
export interface Screen {
  name: string;
  /** As the route tree has it. */
  route: string;
  path: (site: Site) => string;
  /** What is there once the page has loaded what it shows. */
  shown: (page: Page) => Locator;
  /** What is there in a workspace that has nothing; absent where there is nothing that could be missing. */
  empty?: { path?: (site: Site) => string; shown: (page: Page) => Locator };
  /** False: it asks the server for nothing. */
  canFail?: false;
  /** What floats over the page, by name; Escape closes it. */
  dialogs?: Record<string, Act>;
  /** Everything else: what is refused, chosen, found, or armed to be done by the next press. */
  states?: Record<string, Act>;
  /** Nobody is signed in. */
  isPublic?: true;
}

export async function openScreen(page: Page, screen: Screen, site: Site): Promise<void> {
  await page.goto(screen.path(site));
  await expect(screen.shown(page).first()).toBeVisible();
  await settled(page);
}

/** Until nothing is waited for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root, [data-bone], .mantine-Loader-root') === null &&
      document.fonts.status === 'loaded',
  );
}

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name });
export const text = (words: string | RegExp) => (page: Page) => page.getByText(words);
export const dialogOf = (page: Page): Locator => page.getByRole('dialog').last();

/** Presses a button and waits for what it leads to. */
export const press =
  (name: string | RegExp, then: (page: Page) => Locator): Act =>
  async (page) => {
    await button(page, name).click();
    await expect(then(page).first()).toBeVisible();
  };

/** Presses a button that opens a dialog. */
export const opens = (name: string | RegExp): Act => press(name, dialogOf);
/** Presses a button that opens a menu. */
export const opensMenu = (name: string | RegExp): Act => press(name, (page) => page.getByRole('menu'));

export const goes =
  (path: string, then: (page: Page) => Locator): Act =>
  async (page) => {
    await page.goto(path);
    await expect(then(page).first()).toBeVisible();
    await settled(page);
  };

export const inOrder =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

/** Opens a dialog from the menu "Create". */
export const creates = (item: string): Act =>
  inOrder(opensMenu('Create'), async (page) => {
    await page.getByRole('menuitem', { name: item }).click();
    await expect(dialogOf(page).getByLabel('Name').first()).toBeVisible();
  });

/** Presses the dialog's own button. */
export const pressIn =
  (name: string, then: (page: Page) => Locator): Act =>
  async (page) => {
    await dialogOf(page).getByRole('button', { name, exact: true }).click();
    await expect(then(page).first()).toBeVisible();
  };

/** Types what a dialog asks for before it does what cannot be undone. */
export const arms =
  (typed: string, name: string): Act =>
  async (page) => {
    await dialogOf(page).getByRole('textbox').first().fill(typed);
    await expect(dialogOf(page).getByRole('button', { name, exact: true })).toBeEnabled();
  };
