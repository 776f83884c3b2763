import { collectionScreens } from './collection-screens.ts';
import { placeScreens } from './place-screens.ts';
import { publicScreens } from './public-screens.ts';
import type { Screen } from './screen.ts';
import { settingsScreens } from './settings-screens.ts';
import { workScreens } from './work-screens.ts';

/** Every page of the route tree; a test counts them. */
export const screens: Screen[] = [
  ...publicScreens,
  ...placeScreens,
  ...collectionScreens,
  ...workScreens,
  ...settingsScreens,
];
