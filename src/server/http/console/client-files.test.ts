import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClientFiles } from './client-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vectora-client-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'assets/a.js'), 'a();');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const textOf = async (file: Promise<{ bytes: Uint8Array } | null>) =>
  new TextDecoder().decode((await file)?.bytes);

test('a file that could not be read once is read when it can be', async () => {
  const files = createClientFiles(folder);
  expect(await files.find('/assets/none.js')).toBeNull();
  await rename(path.join(folder, 'assets/a.js'), path.join(folder, 'away'));
  await expect(files.find('/assets/a.js')).rejects.toThrow('ENOENT');
  await rename(path.join(folder, 'away'), path.join(folder, 'assets/a.js'));
  expect(await textOf(files.find('/assets/a.js'))).toBe('a();');
});

test('a folder that could not be listed once is listed when it can be', async () => {
  await rename(folder, `${folder}-away`);
  const files = createClientFiles(folder);
  await expect(files.find('/assets/a.js')).rejects.toThrow('ENOENT');
  await rename(`${folder}-away`, folder);
  expect(await textOf(files.find('/assets/a.js'))).toBe('a();');
});

test('a file is read once', async () => {
  const files = createClientFiles(folder);
  const first = await files.find('/assets/a.js');
  expect(await files.find('/assets/a.js')).toBe(first);
});
