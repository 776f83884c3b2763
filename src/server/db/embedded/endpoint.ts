import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { OpenedDatabase } from '../client.ts';
import { RecordNotOpened } from '../record-error.ts';
import type { Account } from './account.ts';
import { freePort } from './free-port.ts';

/** Where the embedded Postgres listens, so that nobody else can connect. */
export interface Endpoint {
  /** How initdb makes the cluster's access rules. */
  clusterSettings: string[];
  settings: Record<string, string | number>;
  target: OpenedDatabase['target'];
}

/** The number only names the socket; no port is opened. */
const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;
/** The shortest of the systems' limits (macOS). */
const socketBytesMax = 103;

/**
 * A folder that only this account can enter, with a short path: not in the data directory, whose path may be long and whose file system
 * may know no sockets.
 * @throws RecordNotOpened when there is no place for it
 */
export async function makeSocketFolder(temporary = [tmpdir(), '/tmp', '/var/tmp']): Promise<string> {
  let cause: unknown;
  for (const base of temporary) {
    const name = path.join(base, 'vectora-');
    if (Buffer.byteLength(`${name}XXXXXX/${socketName}`) > socketBytesMax) continue;
    try {
      return await mkdtemp(name);
    } catch (error) {
      cause = error;
    }
  }
  throw new RecordNotOpened(
    `The embedded database needs a temporary folder with a short path for its socket, and can use none of ${temporary.join(', ')}. Set TMPDIR to one, or set DATABASE_URL.`,
    { cause },
  );
}

export interface SocketOptions {
  socketFolder: string;
  dataDir: string;
  account: Account;
}

/**
 * A Unix socket in a folder of ours: who can enter it may connect, and nobody else can. Where Postgres runs as another account that has
 * to own the folder, that account's other processes can enter it too, so that Postgres looks at who connects.
 */
export async function socketEndpoint({ socketFolder, dataDir, account }: SocketOptions): Promise<Endpoint> {
  const { owner, walksEverywhere } = account;
  const isShared = owner !== null && !walksEverywhere;
  if (isShared) await chown(socketFolder, owner.uid, owner.gid);
  return {
    clusterSettings: ['--auth-local=trust', '--auth-host=reject'],
    settings: {
      listen_addresses: '',
      port: socketPort,
      // A list, in which a name with a comma or a blank stands in quotes.
      unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
      ...(isShared && (await rulesForUs(dataDir))),
    },
    target: { socketPath: path.join(socketFolder, socketName) },
  };
}

/**
 * Rules by which this process' account alone may connect, whose name the kernel tells. They take the place of the cluster's own, also of
 * one that was made before there were any, and lie where the account of Postgres can read them and not change them.
 */
async function rulesForUs(dataDir: string): Promise<Record<string, string>> {
  const folder = path.join(dataDir, 'access');
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const files = {
    hba_file: path.join(folder, 'pg_hba.conf'),
    ident_file: path.join(folder, 'pg_ident.conf'),
  };
  await writeRules(files.hba_file, 'local all postgres peer map=vectora\n');
  await writeRules(files.ident_file, `vectora "${userInfo().username}" postgres\n`);
  return files;
}

/** Left as it is where it says so already: a full disk takes no new one. */
async function writeRules(file: string, text: string): Promise<void> {
  const written = await readFile(file, 'utf8').catch(() => null);
  if (written !== text) await writeFile(file, text);
  await chmod(file, 0o644);
}

/** A free port of loopback and a password only this account can read: for Windows, where Node knows no Unix sockets. */
export async function loopbackEndpoint(folder: string): Promise<Endpoint> {
  const file = path.join(folder, 'password');
  const password = await readOrMakePassword(file);
  const port = await freePort();
  return {
    clusterSettings: ['--auth-local=reject', '--auth-host=scram-sha-256', `--pwfile=${file}`],
    settings: { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' },
    target: { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres?connect_timeout=60` },
  };
}

async function readOrMakePassword(file: string): Promise<string> {
  const written = await readFile(file, 'utf8').catch(() => '');
  if (written !== '') return written;
  const password = randomBytes(32).toString('base64url');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}
