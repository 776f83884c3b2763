import { expect, it } from 'vitest';
import { hasOverlay } from './has-overlay.ts';

it.each([
  ['a dialog', '<section role="dialog" style="opacity: 1"></section>', true],
  ['a menu', '<div role="menu"></div>', true],
  ['a dialog that fades out', '<section role="dialog" style="opacity: 0"></section>', false],
  ['one that fades out above another', '<b role="dialog" style="opacity: 0"></b><b role="dialog"></b>', true],
  ['nothing', '<main></main>', false],
])('of %s', (_, html, covers) => {
  document.body.innerHTML = html;
  expect(hasOverlay()).toBe(covers);
});
