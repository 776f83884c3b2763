import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { screens } from './all-screens.ts';

test('every address of the route tree has a screen, and every screen an address', () => {
  const tree = readFileSync('src/client/route-tree.gen.ts', 'utf8');
  const [, list = ''] = /fullPaths:([^;]*)/.exec(tree) ?? [];
  const routes = [...list.matchAll(/'([^']+)'/g)].map(([, route]) => route);
  expect(routes.length).toBeGreaterThan(20);
  expect([...new Set(screens.map(({ route }) => route))].sort()).toEqual(routes.sort());
});

test('each screen has a name of its own', () => {
  const names = screens.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
