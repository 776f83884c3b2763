import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { check, type Sources } from './architecture/rules.ts';

function readSources(): Sources {
  const root = path.resolve(import.meta.dirname, '..');
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.split(path.sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file));
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

test('every file keeps to the table of zones and to the rules', () => {
  expect(check(readSources())).toEqual([]);
});

/** For each rule a source that breaks it, which must be reported, and one beside it that does not. */
const planted: [rule: string, bad: Record<string, string>, good: Record<string, string>][] = [
  ['R0', { 'src/server/utils/x.ts': '' }, { 'src/server/http/x.ts': '' }],
  [
    'R1',
    { 'src/server/db/x.ts': "import type { Context } from '#server/rpc/context.ts';" },
    { 'src/server/rpc/x.ts': "import type { Database } from '#server/db/client.ts';" },
  ],
  [
    'R1',
    { 'src/shared/x.ts': "export const load = () => import('#client/lib/x.ts');" },
    { 'src/client/lib/x.ts': "export const load = () => import('#shared/x.ts');" },
  ],
  [
    'R2',
    { 'src/server/rest/x.ts': "import { eq } from 'drizzle-orm';" },
    { 'src/server/rpc/x.ts': "import { eq } from 'drizzle-orm';" },
  ],
  [
    'R2',
    { 'src/server/engine/x.ts': "import path from 'node:path';" },
    { 'src/server/db/x.ts': "import path from 'node:path';" },
  ],
  [
    'R2',
    { 'src/server/engine/x.ts': 'const at = Date.now();' },
    { 'src/server/engine/x.ts': '// Not Date.now()' },
  ],
  ['R2', { 'src/server/rpc/x.ts': "import 'postgres';" }, { 'src/server/db/x.ts': "import 'postgres';" }],
  [
    'R3',
    { 'src/client/features/a/x.ts': "import type { AppRouter } from '#server/rpc/router.ts';" },
    { 'src/client/lib/trpc.ts': "import type { AppRouter } from '#server/rpc/router.ts';" },
  ],
  [
    'R3',
    { 'src/client/lib/trpc.ts': "import { appRouter } from '#server/rpc/router.ts';" },
    { 'src/client/lib/trpc.ts': "import { type AppRouter } from '#server/rpc/router.ts';" },
  ],
  [
    'R3',
    {
      'src/client/lib/trpc.ts':
        "let a: import('#server/rpc/router.ts').AppRouter; await import('#server/rpc/router.ts');",
    },
    { 'src/client/lib/trpc.ts': "let a: import('#server/rpc/router.ts').AppRouter;" },
  ],
  [
    'R4',
    { 'src/server/indexes/x.ts': "import { bm25 } from '#server/engine/lexical/bm25.ts';" },
    { 'src/server/indexes/x.ts': "import { SearchIndex } from '#server/engine/search-index.ts';" },
  ],
  [
    'R5',
    { 'src/client/features/a/x.ts': "import { y } from '../b/y.ts';" },
    { 'src/client/features/a/x.ts': "import { y } from './y.ts';" },
  ],
  [
    'R6',
    { 'src/server/rpc/routers/a.ts': "import { b } from './b.ts';" },
    { 'src/server/rpc/routers/a.ts': "import { b } from '../scope.ts';" },
  ],
  [
    'R6',
    { 'src/server/rest/x.ts': "import { b } from '../rpc/routers/b.ts';" },
    { 'src/server/rest/x.ts': "import { procedures } from '../rpc/procedures.ts';" },
  ],
  [
    'R7',
    {
      'src/server/db/a.ts': "import { b } from './b.ts';",
      'src/server/db/b.ts': "import { c } from './c.ts';",
      'src/server/db/c.ts': "import { a } from './a.ts';",
    },
    {
      'src/server/db/a.ts': "import { b } from './b.ts';",
      'src/server/db/b.ts': "import { c } from './c.ts';",
    },
  ],
  [
    'R7',
    {
      'src/server/db/a.ts': "import { b } from './b.ts';",
      'src/server/db/b.ts': "import type { A } from './a.ts';",
    },
    { 'src/server/db/a.ts': "import type { B } from './b.ts';" },
  ],
  [
    'R7',
    {
      'src/server/db/a.ts': "export const b = () => import('./b.ts');",
      'src/server/db/b.ts': "export let a: import('./a.ts').A;",
    },
    { 'src/server/db/a.ts': "export const b = () => import('./b.ts');" },
  ],
  [
    'R8',
    { 'src/server/rpc/x.ts': "import { deps } from '../deps.ts';" },
    { 'src/server/rpc/x.ts': "import type { Deps } from '../deps.ts';" },
  ],
  [
    'R9',
    { 'src/server/db/x.ts': "const home = process.env['HOME'];" },
    { 'src/server/env.ts': "process.env['HOME'];" },
  ],
  ['R9', { 'src/client/lib/x.ts': "console.log('x');" }, { 'src/client/lib/x.test.ts': "console.log('x');" }],
  ['R10', { 'src/server/db/x.ts': 'export default 1;' }, { 'src/server/db/x.ts': 'export const one = 1;' }],
  ['R11', { 'src/server/db/x.ts': '\n'.repeat(301) }, { 'src/server/engine/x.ts': '\n'.repeat(301) }],
  [
    'R11',
    { 'src/server/engine/x.ts': '\n'.repeat(401) },
    { 'src/server/demo/products.ts': '\n'.repeat(401) },
  ],
  [
    'R12',
    { 'src/server/db/x.ts': "/** All. */\nexport * from './a.ts';\nexport { b } from './b.ts';" },
    { 'src/server/db/schema/index.ts': "export * from './a.ts';" },
  ],
  [
    'R13',
    { 'src/server/db/x.ts': 'await import(name);' },
    { 'src/server/db/x.ts': "await import('./y.ts');" },
  ],
  [
    'R13',
    { 'src/server/db/x.ts': "import { limits } from '../../shared/limits.ts';" },
    { 'src/server/db/x.ts': "import { limits } from '#shared/limits.ts';" },
  ],
  [
    'R14',
    { 'src/server/db/x.ts': "import { kit } from '../testing/kit.ts';" },
    { 'src/server/db/x.test.ts': "import { kit } from '../testing/kit.ts';" },
  ],
];

test.each(planted)('%s is reported where it is broken, and only there', (rule, bad, good) => {
  const isReported = (files: Record<string, string>) =>
    check(new Map(Object.entries(files))).some((line) => line.includes(`: ${rule} `));
  expect(isReported(bad)).toBe(true);
  expect(isReported(good)).toBe(false);
});

test('every rule has a planted violation', () => {
  const rules = Array.from({ length: 15 }, (_, index) => `R${index}`);
  expect(rules.filter((rule) => !planted.some(([own]) => own === rule))).toEqual([]);
});
