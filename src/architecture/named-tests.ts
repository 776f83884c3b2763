import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Tests as documents name them, `src/a.test.ts`: "its title". */

const root = path.resolve(import.meta.dirname, '../..');

export interface NamedTest {
  file: string;
  title: string;
}

export function namedTests(text: string): NamedTest[] {
  const named = text.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`: "([^"]+)"/g);
  return [...named].map(([, file = '', title = '']) => ({ file, title }));
}

/** Whether the file has a test or a step of this title; that of a table's rows has its %s. */
export function isTestThere({ file, title }: NamedTest): boolean {
  const place = path.join(root, file);
  if (!existsSync(place)) return false;
  // As it stands in the code, between quotes.
  const code = readFileSync(place, 'utf8');
  return [`'${title}'`, `\`${title}\``, `"${title}"`].some((quoted) => code.includes(quoted));
}
