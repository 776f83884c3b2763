import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { articles } from './scripts/articles/articles-plugin.ts';
import { checkedReads } from './src/server/engine/testing/checked-reads.ts';

/** Of the server, what needs neither database nor process, and changes nothing outside itself: by folder, where not all of it by name. */
const calculations = Object.entries({
  '.': ['counted-lines', 'env', 'issue-message', 'log', 'within'],
  admission: ['address'],
  audit: ['find-leaver'],
  'auth/keys': ['key-format'],
  'auth/passwords': ['password-rules'],
  'auth/secrets': ['app-secret', 'hmac', 'secret-box'],
  'auth/sessions': ['session-cookie', 'session-ids'],
  'auth/second-factor': ['totp'],
  'auth/tries': ['account-tries', 'devices', 'throttle', 'turn-queue'],
  chat: 'all',
  'chat/models': 'all',
  db: ['close-all', 'prepared-texts', 'record-error'],
  'db/embedded': ['reserve-ration'],
  embeddings: ['embedding-queue', 'word-piece'],
  'http/console': ['client-files'],
  'indexes/host': ['apply-batch', 'call-budget', 'call-slices', 'packed-batch', 'preemption'],
  'indexes/passages': 'all',
  'indexes/relevance': ['list-figures'],
  'indexes/registry': [
    'index-memory',
    'maintenance-limits',
    'serial-queue',
    'snapshot-files',
    'unless-aborted',
    'who-leaves',
  ],
  'indexes/search': ['in-parallel', 'merged-facets', 'shown-document', 'vector-query'],
  'indexes/understand': ['understand-query'],
  'indexes/write': [
    'batch',
    'byte-budget',
    'declared-fields',
    'document',
    'field-values',
    'import-batches',
    'statements',
  ],
  memory: 'all',
  monitoring: ['latency-histogram'],
  rest: ['catalogue', 'limits-text'],
  'rest/import': ['split-rows'],
  'rest/import/csv': 'all',
  rpc: ['present-fields'],
  testing: ['documented-lines-read'],
  'testing/contract': ['assert-as-described', 'hold-to-description'],
  'testing/kill': ['ledger'],
  wire: 'all',
}).flatMap(([folder, names]) => testsIn(path.posix.join('src/server', folder), names));

/** Of the packages that the console is made of, those that hold React or have many files. Whoever imports React must be among them: there would be two of it. */
const bundled = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'react/jsx-dev-runtime',
  '@mantine/charts',
  '@mantine/core',
  '@mantine/form',
  '@mantine/hooks',
  '@radix-ui/react-toast',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@testing-library/react',
  '@testing-library/user-event',
  '@trpc/client',
  '@trpc/react-query',
  'zod',
];

/** Files that take a quarter of a minute and more, the longest first. */
const longest = [
  'src/server/testing/kill/kill.test.ts',
  'src/server/testing/machines/machines.test.ts',
  'src/server/testing/isolation.test.ts',
  'src/ensure-installed.test.ts',
  'src/server/db/open-record.test.ts',
  'src/server/testing/kill/embedded.test.ts',
  'src/server/testing/kill/full-disk.test.ts',
  'src/server/main.test.ts',
];

const gone = [...calculations, ...longest].filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`vitest.config.ts names files that are not there: ${gone.join(', ')}`);

/** Of all, those that stand in the folder itself; a file that no folder has stands for a folder without any. */
function testsIn(folder: string, names: string | string[]): string[] {
  if (typeof names !== 'string') return names.map((name) => `${folder}/${name}.test.ts`);
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.test.ts')) : [];
  return found.length > 0 ? found.map((name) => `${folder}/${name}`) : [`${folder}/*.test.ts`];
}

/** Vitest goes by project. What is begun last must be short: it is all that runs then. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((file) => sorted.filter(({ moduleId }) => moduleId === path.resolve(file)));
    return [...new Set([...first, ...sorted])];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes of their own: with a worker a core, half the machine would wait with them.
    maxWorkers: availableParallelism() + 1,
    // What is waited for ends the wait; on a busy machine one second is soon over.
    expect: { poll: { timeout: 180_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What `npm run test:long` runs besides.
    exclude: process.env['LONG_TESTS']
      ? configDefaults.exclude
      : [...configDefaults.exclude, '**/*.long.test.ts'],
    projects: [
      {
        extends: true,
        plugins: [checkedReads()],
        test: {
          name: 'engine',
          include: ['src/server/engine/**/*.test.ts', 'src/shared/**/*.test.ts'],
          // Nothing in the engine outlives a call, so its files may share what they import.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        // What needs no page: its files share what they import.
        test: {
          name: 'client-plain',
          include: ['src/client/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      // What the sources and the built console are made of.
      {
        extends: true,
        test: { name: 'structure', include: ['src/*.test.ts'] },
      },
      // Starting a process for each of these took longer than its tests.
      {
        extends: true,
        test: {
          name: 'calculations',
          include: calculations,
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          exclude: ['src/server/engine/**', ...calculations],
          globalSetup: ['src/server/testing/global-setup.ts'],
          // To read the server anew for each file took a third of the processors' time. A file closes what it opens; the server keeps
          // nothing in its modules that outlives that.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [articles()],
        test: {
          name: 'client',
          include: ['src/client/**/*.test.tsx'],
          setupFiles: ['src/client/testing/set-up.ts'],
          // To read the console anew for each file took a third of the processors' time.
          isolate: false,
          // In processes: what one thread says by a BroadcastChannel, as tabs do, the others of its process hear.
          pool: 'forks',
          environment: 'happy-dom',
          // As one file each: to open their thousand files anew for every test file took a third of the processors' time.
          deps: { optimizer: { client: { enabled: true, include: bundled } } },
        },
      },
    ],
  },
});
