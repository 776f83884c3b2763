import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { openRecord } from '../open-record.ts';
import { users } from '../schema/accounts.ts';

/** The command lines of docs/operations.md, by their program, run as they stand there with whatever is installed here. */
const toolVersionMin = { psql: 15, pg_dump: 18, pg_restore: 18 };
type Tool = keyof typeof toolVersionMin;

function versionOf(tool: Tool): number {
  try {
    return Number.parseInt(
      /\d+/.exec(execFileSync(tool, ['--version'], { encoding: 'utf8' }))?.[0] ?? '',
      10,
    );
  } catch {
    return 0; // Not installed: the tests that need it are skipped by name.
  }
}
const has = (...tools: Tool[]) => tools.every((tool) => versionOf(tool) >= toolVersionMin[tool]);

async function lineOf(tool: Tool): Promise<string> {
  const text = await readFile('docs/operations.md', 'utf8');
  const block = /^## The embedded Postgres\n[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  const line = block.split('\n').find((one) => one.startsWith(`${tool} `));
  if (line === undefined) throw new Error(`docs/operations.md has no line for ${tool}`);
  return line;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-tools-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(settings: { dataDir: string; databaseUrl: string | null }) {
  const record = await openRecord({
    settings: { ...settings, storageReserveBytes: 0 },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  cleanups.push(() => record.close());
  return record;
}
const openIn = (folder: string) => open({ dataDir: path.join(folder, 'data'), databaseUrl: null });

function run(line: string, folder: string, input = '') {
  const options = { cwd: folder, input, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], options);
  return { status, stdout, stderr };
}

const done = expect.objectContaining({ status: 0 });
const ada = { email: 'a', emailKey: 'a', username: 'Ada', usernameKey: 'ada', passwordHash: '-' };

test.runIf(has('psql'))('psql of 15 or newer reaches the embedded database', async () => {
  const folder = await makeFolder();
  const record = await openIn(folder);
  await record.write((db) => db.insert(users).values(ada));
  const answer = run(await lineOf('psql'), folder, 'select username from users;');
  expect(answer).toEqual(done);
  expect(answer.stdout).toContain('Ada');
});

test.runIf(has('pg_dump', 'pg_restore'))(
  'a dump by pg_dump of 18 or newer comes back in a fresh directory and on a Postgres server',
  async () => {
    const folder = await makeFolder();
    const record = await openIn(folder);
    await record.write((db) => db.insert(users).values(ada));
    expect(run(await lineOf('pg_dump'), folder)).toEqual(done);

    const fresh = await makeFolder();
    const before = await openIn(fresh);
    await copyFile(path.join(folder, 'vectora.dump'), path.join(fresh, 'vectora.dump'));
    expect(run(await lineOf('pg_restore'), fresh)).toEqual(done);
    await before.close();
    const names = (await (await openIn(fresh)).db.select().from(users)).map(({ username }) => username);
    expect(names).toEqual(['Ada']);

    const { settings, cleanup } = await freshDatabase('bundled', { isEmpty: true });
    cleanups.push(cleanup);
    expect(run(`pg_restore -d ${settings.databaseUrl} vectora.dump`, folder)).toEqual(done);
    expect(await (await open(settings)).db.$count(users)).toBe(1);
  },
);

test.runIf(versionOf('pg_dump') > 0 && !has('pg_dump'))('an older pg_dump refuses', async () => {
  const folder = await makeFolder();
  await openIn(folder);
  expect(run(await lineOf('pg_dump'), folder).stderr).toContain('server version mismatch');
});
