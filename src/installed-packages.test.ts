import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** npm's own check; an install leaves it out (`legacy-peer-deps` in .npmrc). */
test('every package finds the peers that it works with', () => {
  const list = () =>
    execFileSync('npm', ['ls', '--all', '--legacy-peer-deps=false'], { cwd: root, stdio: 'pipe' });
  expect(list).not.toThrow();
});
