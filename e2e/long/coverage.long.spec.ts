import { expect } from '@playwright/test';
import { failProcedures } from '../fail-procedures.ts';
import { plainScreen, routes, screens } from './all-screens.ts';
import { openScreen } from './screen.ts';
import { test } from './test.ts';

test('every address of the route tree has a screen, and every screen an address', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect([...new Set(screens.map(({ route }) => route))].sort()).toEqual([...routes].sort());
});

test('each screen has a name of its own', () => {
  const names = screens.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('a page that nobody has described is opened and fails by its address alone', async ({ page, site }) => {
  for (const route of ['/monitoring', '/collections/']) {
    await openScreen(page, plainScreen(route), site);
    await failProcedures(page, (procedure) => /^(collections|monitoring)\./.test(procedure));
    await page.goto(route);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});
