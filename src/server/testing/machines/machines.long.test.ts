import { chmod, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { giveTo, makeReadOnly, nativeFolder } from './clone.ts';
import {
  as,
  connectAs,
  expectToServe,
  expectToServeAgain,
  hasNamespaces,
  hasSetpriv,
  here,
  isRoot,
  nobody,
  onFreshMachine,
  othersRunNode,
  pathWith,
  postgresStatus,
  refusal,
  start,
} from './machine.ts';

/** Where the server with its embedded Postgres starts besides, on machines that are seldom met. */
onFreshMachine();

describe('accounts', () => {
  test.runIf(isRoot)('root without setpriv', async () => {
    await expectToServeAgain({ env: { PATH: await pathWith('sh', 'sleep', 'rm', 'rmdir') } });
    expect(await postgresStatus()).toEqual({ uid: nobody, capabilities: '' });
  });

  test.runIf(isRoot && othersRunNode)(
    'root without setpriv: the account that Postgres runs as cannot connect, nor on data of before',
    async () => {
      const env = { PATH: await pathWith('sh', 'sleep', 'rm', 'rmdir') };
      here.running = await start({ env });
      expect((await postgresStatus()).uid).toBe(nobody);
      const refused = expect.stringContaining('Peer authentication failed for user "postgres"');
      expect(await connectAs(nobody)).toEqual(refused);
      expect(await connectAs(0)).toBe('connected');
      await here.running.stop();
      // The cluster's own rules let everybody in who reaches the socket, as they always did.
      const rules = await readFile(path.join(here.dataDir, 'postgres/data/pg_hba.conf'), 'utf8');
      expect(rules).toMatch(/^local\s+all\s+all\s+trust$/m);
      await rm(path.join(here.dataDir, 'access'), { recursive: true });
      here.running = await start({ env });
      expect(await connectAs(nobody)).toEqual(refused);
    },
  );

  test.runIf(hasNamespaces)('root of a namespace that has no other user', async () => {
    await expectToServeAgain({ prefix: ['unshare', '--user', '--map-root-user'] });
  });

  test.runIf(hasSetpriv)('root on data of an ordinary user: it stays theirs', async () => {
    const user = 12_345;
    await mkdir(here.dataDir, { mode: 0o700 });
    await giveTo(nobody, here.folder);
    here.running = await start({ prefix: as(nobody) });
    await here.running.stop();
    await giveTo(user, here.dataDir);
    here.running = await start();
    expect((await postgresStatus()).uid).toBe(user);
  });

  test.runIf(hasSetpriv && hasNamespaces)('a user without a name, as a container may run it', async () => {
    const user = 54_321;
    await mkdir(here.dataDir, { mode: 0o700 });
    await giveTo(user, here.folder);
    await expectToServeAgain({ prefix: as(user) });
  });

  test.runIf(hasNamespaces)('root that can become nobody else is told the ways out', async () => {
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const prefix = ['unshare', '--user', '--map-root-user', 'sh', '-c', script, 'sh'];
    const said = await refusal({ prefix });
    expect(said).toContain('Start Vectora as another user, or set DATABASE_URL');
  });
});

describe('packages', () => {
  test('install scripts off: links and executable bits are made', async () => {
    const native = await nativeFolder(here.root);
    for (const program of ['initdb', 'postgres']) await chmod(path.join(native, 'bin', program), 0o644);
    await expectToServe();
    const links: { target: string }[] = JSON.parse(
      await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'),
    );
    for (const { target } of links) {
      expect((await lstat(path.join(native, '..', target))).isSymbolicLink(), target).toBe(true);
    }
    await expect(lstat(path.join(here.dataDir, 'postgres/programs'))).rejects.toThrow('ENOENT');
  });

  test.runIf(!isRoot || othersRunNode)('a package that cannot be written is left as it is', async () => {
    const native = await nativeFolder(here.root);
    await chmod(path.join(native, 'bin/postgres'), 0o644);
    await makeReadOnly(path.join(here.root, 'node_modules'));
    await mkdir(here.dataDir, { mode: 0o700 });
    if (isRoot) await giveTo(nobody, here.dataDir);
    await expectToServeAgain(isRoot ? { prefix: as(nobody) } : {});
    expect((await lstat(path.join(native, 'bin/postgres'))).mode & 0o111).toBe(0);
    expect((await lstat(path.join(here.dataDir, 'postgres/programs/lib'))).isDirectory()).toBe(true);
  });
});

describe('places', () => {
  test('a temporary folder with a long path, or none', async () => {
    const long = path.join(here.folder, 't'.repeat(100));
    await mkdir(long);
    here.running = await start({ env: { TMPDIR: long } });
    await here.running.stop();
    here.running = await start({ env: { TMPDIR: path.join(here.folder, 'none') } });
    expect(await here.running.stop()).toBe(0);
    here.running = null;
  });

  test.runIf(hasNamespaces)('a /dev/shm of next to nothing', async () => {
    const script = 'mount -t tmpfs -o size=4k,nr_inodes=1 tmpfs /dev/shm && exec "$@"';
    const options = isRoot ? ['--mount'] : ['--map-root-user', '--mount'];
    await expectToServe({ prefix: ['unshare', ...options, 'sh', '-c', script, 'sh'] });
  });
});
