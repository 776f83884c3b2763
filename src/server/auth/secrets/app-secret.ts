import { hash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { desc } from 'drizzle-orm';
import type { RecordStore } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { SettingsError } from '#server/settings-error.ts';
import { keyBinding } from '../keys/key-format.ts';
import type { SecretBox } from './secret-box.ts';

/** The application secret: the given one, else the data directory's, made once and readable by its owner only. */
export async function loadAppSecret(dataDir: string, given: string | null): Promise<string> {
  if (given !== null) return given;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, 'app-secret');
  const stored = await readSecret(file);
  if (stored !== null) return stored;
  const made = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(made, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    // Appears whole or not at all, and never in the place of one that another start was faster with.
    await link(made, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(made);
  }
  return await loadAppSecret(dataDir, null);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function readSecret(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null;
    throw new SettingsError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  if (text === null) return null;
  const secret = text.trim();
  if (secret.length < 32) {
    throw new SettingsError(
      `${file} does not hold a secret of at least 32 characters; restore it, or remove it to make a new one`,
    );
  }
  return secret;
}

/** Warns at start when the stored keys were encrypted with another secret: they work, but cannot be revealed. */
export async function checkAppSecret(parts: {
  record: RecordStore;
  secrets: SecretBox;
  log: Log;
}): Promise<void> {
  const { record, secrets, log } = parts;
  const [newest] = await record.db
    .select({ id: apiKeys.id, projectId: apiKeys.projectId, ciphertext: apiKeys.ciphertext })
    .from(apiKeys)
    .orderBy(desc(apiKeys.id))
    .limit(1);
  if (!newest) return;
  try {
    secrets.open(newest.ciphertext, keyBinding(newest.projectId, newest.id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn(
      'The application secret is not the one that stored API keys were encrypted with: they authenticate, but the console cannot reveal them. Set APP_SECRET_FORMER to the former secret, and they are encrypted with this one',
    );
  }
}

/** What one server signs or encrypts, all others on its record read. @throws SettingsError where one of them has another secret */
export async function assertSameSecret({ servers }: RecordStore, secrets: SecretBox): Promise<void> {
  const fingerprint = hash('sha256', secrets.sign('servers', ''), 'buffer').readUInt32BE() >>> 1;
  if (await servers.agreesOn('application secret', fingerprint)) return;
  throw new SettingsError(
    'APP_SECRET is not that of the other servers on this database (DATABASE_URL): all need the same',
  );
}
