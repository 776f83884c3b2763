import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAppSecret } from './app-secret.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-secret-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('it is made once, readable by its owner only, and the same at the next start', async () => {
  const nested = path.join(dataDir, 'not', 'yet', 'there');
  const secret = await loadAppSecret(nested, null);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect((await stat(path.join(nested, 'app-secret'))).mode & 0o777).toBe(0o600);
  expect(await loadAppSecret(nested, null)).toBe(secret);
  expect(await loadAppSecret(dataDir, null)).not.toBe(secret);
});

test('two starts at the same moment agree', async () => {
  const [first, second] = await Promise.all([loadAppSecret(dataDir, null), loadAppSecret(dataDir, null)]);
  expect(first).toBe(second);
  expect((await readFile(path.join(dataDir, 'app-secret'), 'utf8')).trim()).toBe(first);
});

test('a given one wins and is not written down', async () => {
  expect(await loadAppSecret(dataDir, 'given by the environment, long enough')).toBe(
    'given by the environment, long enough',
  );
  await expect(stat(path.join(dataDir, 'app-secret'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an empty or cut file stops the start instead of being taken for a secret', async () => {
  await writeFile(path.join(dataDir, 'app-secret'), 'short\n');
  await expect(loadAppSecret(dataDir, null)).rejects.toThrow(/app-secret does not hold a secret/);
});
