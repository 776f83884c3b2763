import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const clientDir = path.join(import.meta.dirname, '..');
const packageStyles = path.join(clientDir, '../../node_modules/@mantine/core/styles');

/** Names imported from @mantine/core anywhere in the console. */
function importedComponents(): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(clientDir, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx') || file.endsWith('.test.tsx')) continue;
    const text = readFileSync(path.join(clientDir, file), 'utf8');
    for (const [, list = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const part of list.split(',')) names.add(part.trim().replace(/^type /, ''));
    }
  }
  return names;
}

it('every Mantine component in use has its styles in mantine.css', () => {
  const listed = readFileSync(path.join(import.meta.dirname, 'mantine.css'), 'utf8');
  const missing = [...importedComponents()].filter(
    (name) => existsSync(path.join(packageStyles, `${name}.css`)) && !listed.includes(`/${name}.layer.css`),
  );
  expect(missing).toEqual([]);
});
