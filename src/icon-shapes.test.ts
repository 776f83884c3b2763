import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeIconShapes } from '../scripts/make-icon-shapes.mjs';

/** Neither a build nor a start generates them. */
test("the committed icons are those that the console imports, with the package's shapes", () => {
  const file = path.resolve(import.meta.dirname, 'client/components/display/icon-shapes.gen.ts');
  expect(readFileSync(file, 'utf8')).toBe(makeIconShapes());
});
