import { readFileSync } from 'node:fs';
import { collectionScreens } from './collection-screens.ts';
import { placeScreens } from './place-screens.ts';
import { publicScreens } from './public-screens.ts';
import type { Screen } from './screen.ts';
import { settingsScreens } from './settings-screens.ts';
import { workScreens } from './work-screens.ts';

const described: Screen[] = [
  ...publicScreens,
  ...placeScreens,
  ...collectionScreens,
  ...workScreens,
  ...settingsScreens,
];

/** Every address of the route tree. */
export const routes = readRoutes();

function readRoutes(): string[] {
  const tree = readFileSync('src/client/route-tree.gen.ts', 'utf8');
  const [, list = ''] = /fullPaths:([^;]*)/.exec(tree) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, route = '']) => route);
}

/** A page of the console without dialogs and states of its own: its address opens it, and its title is shown. */
export const plainScreen = (route: string): Screen => ({
  name: route,
  route,
  path: () => route,
  shown: (page) => page.getByRole('main').getByRole('heading', { level: 1 }),
});

/** What an address with a parameter shows is not known by the address. */
const isPlain = (route: string) =>
  !route.includes('$') && !described.some((screen) => screen.route === route);

/** Every page of the route tree; a test counts them. */
export const screens: Screen[] = [...described, ...routes.filter(isPlain).map(plainScreen)];
