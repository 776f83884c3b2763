import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeRouteTree } from '../scripts/make-route-tree.mjs';

const root = path.resolve(import.meta.dirname, '..');
const tree = 'src/client/route-tree.gen.ts';

/** Neither a build nor a start generates it. */
test('the committed route tree is that of the route files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-routes-'));
  try {
    for (const name of ['tsr.config.json', 'src/client/routes']) {
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
    }
    await makeRouteTree(folder);
    expect(readFileSync(path.join(root, tree), 'utf8')).toBe(readFileSync(path.join(folder, tree), 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
