import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { budget } from './compile-early.ts';

test('this Node knows the budget', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(options).toMatch(new RegExp(`^\\s*--${budget}\\s`, 'm'));
});
