import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { helpers } from './collect-young-alone.ts';

test('this Node knows what is switched off', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const helper of helpers) expect(options).toMatch(new RegExp(`^\\s*--${helper}\\s`, 'm'));
});
