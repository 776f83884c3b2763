// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const clientDir = path.join(import.meta.dirname, '..');
const mantineDir = path.join(clientDir, '../../node_modules/@mantine/core');

/** Names imported from @mantine/core anywhere in the console. */
function importedComponents(): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(clientDir, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.')) continue;
    const text = readFileSync(path.join(clientDir, file), 'utf8');
    for (const [, list = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const part of list.split(',')) names.add(part.trim().replace(/^type /, ''));
    }
  }
  return names;
}

/** The style modules that Mantine's own files import on behalf of these components. */
function stylesBehind(components: Set<string>): Set<string> {
  const files = readdirSync(path.join(mantineDir, 'esm'), { recursive: true, encoding: 'utf8' });
  const reached = new Set(files.filter((file) => components.has(path.basename(file, '.mjs'))));
  for (const file of reached) {
    const full = path.join(mantineDir, 'esm', file);
    if (!existsSync(full) || !file.endsWith('.mjs')) continue;
    for (const [, target = ''] of readFileSync(full, 'utf8').matchAll(/from "(\.[^"]*)"/g)) {
      reached.add(path.join(path.dirname(file), target));
    }
  }
  // Two levels deep: below lie parts, `Checkbox.Card` say, that nobody uses without naming them.
  const modules = [...reached].flatMap((file) => /^\w+\/(\w+)\/\1\.module\.mjs$/.exec(file)?.[1] ?? []);
  return new Set(modules);
}

it('mantine.css lists the styles of the components in use, and no others', () => {
  const css = readFileSync(path.join(import.meta.dirname, 'mantine.css'), 'utf8');
  const listed = [...css.matchAll(/styles\/([A-Z]\w*)\.layer\.css/g)].flatMap(([, name]) => name ?? []);
  const needed = [...stylesBehind(importedComponents())].filter((name) =>
    existsSync(path.join(mantineDir, 'styles', `${name}.css`)),
  );
  expect(listed.toSorted()).toEqual(needed.toSorted());
});
