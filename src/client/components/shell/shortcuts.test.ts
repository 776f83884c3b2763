// @vitest-environment node
import { expect, it } from 'vitest';
import { shortcutReader, shortcutsOf } from './shortcuts.ts';

const shortcuts = shortcutsOf([
  { to: '/dashboard', label: 'Dashboard', icon: [], order: 1, letter: 'D' },
  { to: '/search', label: 'Vector Search', icon: [], order: 2 },
]);
const press = (key: string, timeStamp = 0, more = {}) => ({
  key,
  timeStamp,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

it('reads one key, two keys and a key with Ctrl or the command key', () => {
  const read = shortcutReader();
  expect(read(press('?'), shortcuts)?.command.kind).toBe('help');
  expect(read(press('g'), shortcuts)).toBe(undefined);
  expect(read(press('d', 100), shortcuts)?.command).toEqual({ kind: 'page', to: '/dashboard' });
  expect(read(press('k', 0, { ctrlKey: true }), shortcuts)?.command.kind).toBe('palette');
  expect(read(press('k', 0, { metaKey: true }), shortcuts)?.command.kind).toBe('palette');
});

it('forgets the first of two keys after a while, and by another key', () => {
  const read = shortcutReader();
  read(press('g', 0), shortcuts);
  expect(read(press('d', 2_000), shortcuts)).toBe(undefined);
  read(press('g', 3_000), shortcuts);
  read(press('x', 3_100), shortcuts);
  expect(read(press('d', 3_200), shortcuts)).toBe(undefined);
  read(press('g', 4_000), shortcuts);
  expect(read(press('d', 4_100, { ctrlKey: true }), shortcuts)).toBe(undefined);
});

it('gives a page without a letter no key', () => {
  expect(shortcuts.map(({ label }) => label)).not.toContain('Go to Vector Search');
});
