import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeIconShapes } from '../scripts/make-icon-shapes.mjs';

/** Neither a build nor a start generates them. */
test("the committed icons are those that the console imports, with the package's shapes", () => {
  const folder = path.resolve(import.meta.dirname, 'client/components/display');
  const made = makeIconShapes();
  expect(Object.keys(made)).toHaveLength(3);
  for (const [file, text] of Object.entries(made)) {
    expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text);
  }
});
