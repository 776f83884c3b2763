import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ballast, keepBallast } from './ballast.ts';

const bytes = 2 ** 20;
let folder: string;
let file: string;
let now = 0;
let ballast: Ballast;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vectora-ballast-'));
  file = path.join(folder, 'ballast');
  ballast = await keepBallast({ file, bytes, clock: () => new Date(now) });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Keeps nothing, and cannot keep it again: its folder is gone, which no more than a broken disk is a full one. */
async function breakDisk(): Promise<void> {
  expect(await ballast.release()).toBe(true);
  await rm(folder, { recursive: true });
}

test('is kept from the start, given away once, and kept again by the next write', async () => {
  expect((await stat(file)).size).toBe(bytes);
  await ballast.assertKept();
  expect(await ballast.release()).toBe(true);
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await ballast.release()).toBe(false);
  await ballast.assertKept();
  expect((await stat(file)).size).toBe(bytes);
});

test('a disk that cannot be used for another reason than being full refuses writes with 503 too', async () => {
  await breakDisk();
  const refused = { code: 'UNAVAILABLE', retryAfterSeconds: 30, cause: { code: 'ENOENT' } };
  for (let i = 0; i < 2; i += 1) await expect(ballast.assertKept()).rejects.toMatchObject(refused);
  await mkdir(folder);
  now += 1_000;
  await ballast.assertKept();
  expect((await stat(file)).size).toBe(bytes);
});

test('an attempt that failed does not keep the space from being given away', async () => {
  await breakDisk();
  await expect(ballast.assertKept()).rejects.toThrow();
  expect(await ballast.release()).toBe(false);
});
