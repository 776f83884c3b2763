import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Files and folders of the repository, each with its full path. */
const paths = [
  'optional',
  'optional/onnx',
  ...['src', 'docs', 'drizzle', 'e2e', 'scripts', 'models', 'samples'].flatMap((top) => [
    top,
    ...readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${top}/${name.split(path.sep).join('/')}`,
    ),
  ]),
];

/** Of a model that an operator brings. */
const modelFiles = ['tokenizer.json', 'modules.json', 'config_sentence_transformers.json'];

/** All but the change log, which speaks of what was. A decision that tells of a file that is gone names it without code marks. */
const documents = ['README.md', ...paths.filter((file) => file.endsWith('.md'))];

/** What stands in code marks and looks like a path; `<noun>` stands for any name. What a server, a build or npm makes is not of the repository, nor a model's files. */
function pathsNamedIn(text: string): string[] {
  const marked = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '));
  return marked.filter(
    (word) =>
      /^(\.\.\/|[\w<])[\w<>./-]*$/.test(word) &&
      /\/|\.(tsx?|mjs|md|json|sql)$/.test(word) &&
      !/^(DATA_DIR|dist|node_modules|onnx|1_Pooling)\//.test(word) &&
      !modelFiles.includes(word),
  );
}

/** Where its links lead within the repository. */
function linksIn(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.replace(/#.*$/, ''));
  return targets.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

/** Whether a path, or the end of one, is what is named. */
function exists(named: string): boolean {
  const end = named
    .replace(/^(\.\.\/)+/, '')
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/<\w+>/g, '[\\w-]+');
  const pattern = new RegExp(`(^|/)${end}$`);
  return (
    paths.some((known) => pattern.test(known)) || (!named.includes('/') && existsSync(path.join(root, named)))
  );
}

/** A link is followed from its document's folder; a path in code marks may be the end of one. */
function missingIn(document: string, text: string): string[] {
  const isThere = (link: string) => existsSync(path.join(root, path.dirname(document), link));
  return [
    ...pathsNamedIn(text).filter((named) => !exists(named)),
    ...linksIn(text).filter((link) => !isThere(link)),
  ];
}

const read = (document: string) => readFileSync(path.join(root, document), 'utf8');

test.each(documents)('every path that %s names exists', (document) => {
  expect(missingIn(document, read(document))).toEqual([]);
});

test('the pages, the decisions and the READMEs of the rooms are among the documents, and name paths', () => {
  const some = ['docs/operations.md', 'docs/decisions/009-known-callers.md', 'src/server/engine/README.md'];
  expect(documents).toEqual(expect.arrayContaining(some));
  for (const document of ['README.md', 'docs/adding.md', 'docs/walkthrough.md', 'src/client/README.md']) {
    expect(pathsNamedIn(read(document)).length, document).toBeGreaterThan(5);
  }
  expect(linksIn(read('docs/decisions/README.md')).length).toBeGreaterThan(10);
});

test('every room of the server has its line in the table of the README', () => {
  const rooms = readdirSync(path.join(root, 'src/server'), { withFileTypes: true });
  const named = new Set(
    [...read('README.md').matchAll(/^\| `src\/server\/([\w-]+)` \|/gm)].map(([, room]) => room),
  );
  expect(rooms.flatMap((room) => (room.isDirectory() ? room.name : [])).sort()).toEqual([...named].sort());
});

test('a path that does not exist is reported, and nothing else', () => {
  const text = [
    'See `src/server/rpc/gone.ts`, [here](../docs/gone.md) and `routers/<noun>/gone.ts`;',
    '`scope.ts`, `routers/<noun>.ts`, `db/embedded/`, `GET /api/x`, `ctx.db`, `npm test`, `DATA_DIR/lock/`, `package.json`,',
    '[this page](walkthrough.md#one-query-out), [a site](https://example.com/x) and [below](#below) are as they should be.',
  ].join('\n');
  const gone = ['src/server/rpc/gone.ts', 'routers/<noun>/gone.ts', '../docs/gone.md'];
  expect(missingIn('docs/adding.md', text)).toEqual(gone);
  // From another folder the same link leads nowhere.
  expect(missingIn('docs/decisions/x.md', text)).toEqual([...gone, 'walkthrough.md']);
});

test('a recipe lists as many files as its title says', () => {
  const recipes = readFileSync(path.join(root, 'docs/adding.md'), 'utf8').split(/^## /m).slice(1);
  expect(recipes.length).toBe(9);
  for (const recipe of recipes) {
    const said = Number(/: (\d+) files$/m.exec(recipe)?.[1]);
    const listed = [...recipe.matchAll(/(?:^|\s)(\d+)\. /g)].map(([, number]) => Number(number));
    expect(Math.max(...listed), recipe.split('\n')[0]).toBe(said);
  }
});

test.each(['CHANGELOG.md', ...documents])('%s holds no mark of a merge', (document) => {
  expect(read(document)).not.toMatch(/^(<{7}|={7}|>{7})( |$)/m);
});
