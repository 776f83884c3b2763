import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const documents = ['README.md', 'docs/adding.md', 'docs/walkthrough.md'];

/** Files and folders of the repository, each with its full path. */
const paths = ['src', 'docs', 'drizzle', 'e2e', 'scripts', 'models', 'samples'].flatMap((top) => [
  top,
  ...readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${top}/${name.split(path.sep).join('/')}`,
  ),
]);

/** What stands in code marks or behind a link and looks like a path; `<noun>` stands for any name. */
function pathsNamedIn(text: string): string[] {
  const marked = [...text.matchAll(/`([^`\n]+)`|\]\(([^)]+)\)/g)].flatMap(([, code, link]) =>
    (code ?? link ?? '').split(' '),
  );
  return marked.filter(
    (word) => /^(\.\.\/|[\w<])[\w<>./-]*$/.test(word) && /\/|\.(tsx?|mjs|md|json|sql)$/.test(word),
  );
}

/** Whether a path, or the end of one, is what is named. */
function exists(named: string): boolean {
  const end = named
    .replace(/^(\.\.\/)+/, '')
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/<\w+>/g, '[\\w-]+');
  const pattern = new RegExp(`(^|/)${end}$`);
  return paths.some((known) => pattern.test(known));
}

const missingIn = (text: string) => pathsNamedIn(text).filter((named) => !exists(named));

test.each(documents)('every path that %s names exists', (document) => {
  const text = readFileSync(path.join(root, document), 'utf8');
  expect(pathsNamedIn(text).length).toBeGreaterThan(5);
  expect(missingIn(text)).toEqual([]);
});

test('a path that does not exist is reported, and nothing else', () => {
  const text = [
    'See `src/server/rpc/gone.ts`, [here](../docs/gone.md) and `routers/<noun>/gone.ts`;',
    '`scope.ts`, `routers/<noun>.ts`, `db/embedded/`, `GET /api/x`, `ctx.db` and `npm test` are as they should be.',
  ].join('\n');
  expect(missingIn(text)).toEqual(['src/server/rpc/gone.ts', '../docs/gone.md', 'routers/<noun>/gone.ts']);
});

test('a recipe lists as many files as its title says', () => {
  const recipes = readFileSync(path.join(root, 'docs/adding.md'), 'utf8').split(/^## /m).slice(1);
  expect(recipes.length).toBe(5);
  for (const recipe of recipes) {
    const said = Number(/: (\d+) files$/m.exec(recipe)?.[1]);
    const listed = [...recipe.matchAll(/(?:^|\s)(\d+)\. /g)].map(([, number]) => Number(number));
    expect(Math.max(...listed), recipe.split('\n')[0]).toBe(said);
  }
});
