import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '#server/env.ts';
import { runtimePackages } from '../../../../scripts/build-server.mjs';
import { startServer } from '../kill/server-process.ts';

/** What `Dockerfile` and the compose files say, as far as it can be tried without an engine that runs them. */
const root = path.resolve('.');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const [build = '', image = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
const copied = [...image.matchAll(/^COPY --from=build (.+)$/gm)].flatMap(([, given = '']) =>
  given
    .split(' ')
    .slice(0, -1)
    .map((name) => name.replace('/app/', '')),
);

const readJson = (file: string) => JSON.parse(readFileSync(path.resolve(root, file), 'utf8'));

interface Locked {
  dev?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
const { packages }: { packages: Record<string, Locked> } = readJson('package-lock.json');

interface Service {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  networks?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks?: Record<string, unknown>;
}
const composeFiles = ['compose.yaml', 'compose.opensearch.yaml'];
const readCompose = (name: string): Compose =>
  parse(readFileSync(path.join(root, name), 'utf8'), { merge: true });

describe('the folder of an image', () => {
  let folder: string;
  /** Of the packages that are installed here, as `node_modules/hono`. */
  let kept: string[];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vectora-image-'));
    for (const name of copied) {
      const to = path.join(folder, name);
      await mkdir(path.dirname(to), { recursive: true });
      if (name !== 'node_modules') await cp(path.join(root, name), to, { recursive: true });
    }
    kept = await keptPackages(folder);
    for (const place of kept) await cp(path.join(root, place), path.join(folder, place), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('has no sources, no tests and of the scripts those that start it and the operator’s', () => {
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['dist', 'node_modules', 'scripts']));
    const files = copied.flatMap((name) => filesBelow(folder, name));
    expect(files.filter((file) => /(^|\/)src\/|\.tsx?$|\.(test|spec)\.|(^|\/)testing\//.test(file))).toEqual(
      [],
    );
    const { scripts } = readJson('package.json');
    const commands = ['start', 'reset-password', 'disable-account', 'set-plan', 'migrate'];
    const begun = commands.map((name) => /scripts\/[\w-]+\.mjs/.exec(scripts[name])?.[0] ?? name);
    expect(filesBelow(folder, 'scripts').sort()).toEqual([...withImports(begun)].sort());
  });

  test('has bundles of the server’s own sources and of packages that are no tools', () => {
    const maps = filesBelow(folder, 'dist/server').filter((file) => file.endsWith('.js.map'));
    expect(maps.length).toBeGreaterThan(5);
    const sources = maps.flatMap((file) => readJson(path.join(folder, file)).sources as string[]);
    const inRoot = [...new Set(sources)].map((source) => path.posix.join('dist/server', source));
    expect(inRoot.filter((file) => /\.test\.|\/testing\/|^src\/client\//.test(file))).toEqual([]);
    const places = new Set(inRoot.flatMap((file) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
    expect(places.size).toBeGreaterThan(5);
    expect([...places].filter((place) => packages[place]?.dev)).toEqual([]);
  });

  test('has of packages what the server reads as it runs, and nothing else', async () => {
    expect(kept.filter((place) => packages[place]?.dev)).toEqual([]);
    const { optionalDependencies } = readJson('package.json');
    const needed = withNeeds([...runtimePackages, ...Object.keys(optionalDependencies)]);
    expect(kept.filter((place) => !needed.has(place))).toEqual([]);
    expect(kept.length).toBeLessThan(Object.keys(packages).length / 4);
    for (const name of runtimePackages) {
      const read = ['--input-type=module', '-e', `await import('${name}')`];
      await promisify(execFile)(process.execPath, read, { cwd: folder });
    }
  });

  test('is all that a start and the operator’s commands need', async () => {
    const start = `cd '${folder}' && exec '${process.execPath}' scripts/start.mjs`;
    const env = { DATA_DIR: path.join(folder, 'data'), HOST: '127.0.0.1' };
    const server = await startServer(env, { prefix: ['sh', '-c', start] });
    try {
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      const article = await fetch(`${server.url}/llms.txt`);
      expect([article.status, (await article.text()).length > 1_000]).toEqual([200, true]);
      const command = promisify(execFile)(
        process.execPath,
        ['scripts/reset-password.mjs', 'nobody@example.com'],
        {
          cwd: folder,
          env: { ...process.env, ...env },
        },
      );
      await expect(command).rejects.toThrow('nobody@example.com');
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  test('asks its server whether it is well', async () => {
    const [, given = ''] = /^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(image) ?? [];
    const [program, ...args] = JSON.parse(given) as string[];
    expect(program).toBe('node');
    const ask = (port: string) =>
      promisify(execFile)(process.execPath, args, { env: { ...process.env, PORT: port } });
    const asked: string[] = [];
    for (const status of [200, 503]) {
      const server = createServer(({ url = '' }, response) => {
        asked.push(url);
        response.writeHead(status, { Connection: 'close' }).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const answer = ask(String((server.address() as AddressInfo).port));
      if (status === 200) await answer;
      else await expect(answer).rejects.toThrow();
      server.close();
    }
    expect(asked).toEqual(['/health', '/health']);
  });

  test('is made of what is there', () => {
    const [manifests = ''] = /^COPY (?!--from).+$/m.exec(build) ?? [];
    for (const name of manifests.split(' ').slice(1, -1))
      expect(existsSync(path.join(root, name)), name).toBe(true);
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n');
    expect(ignored.filter((name) => copied.includes(name) && name !== 'dist')).toEqual([]);
    const { engines, scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const [, settings = ''] = /^(.*)exec node/.exec(scripts.start) ?? [];
    expect(/^ENV (.+)$/m.exec(image)?.[1]?.split(' ')).toEqual(
      expect.arrayContaining(settings.trim().split(' ')),
    );
    const [, least] = /^>=(\d+)/.exec(engines.node) ?? [];
    for (const [, major] of dockerfile.matchAll(/^FROM node:(\d+)/gm))
      expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
    expect(/^USER (.+)$/m.exec(image)?.[1]).toBe('1000');
  });
});

function filesBelow(folder: string, name: string): string[] {
  if (!statSync(path.join(folder, name)).isDirectory()) return [name];
  if (name === 'node_modules') return [];
  const entries = readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Scripts with what they import of each other, but for what builds: in an image nothing does. */
function withImports(scripts: string[]): Set<string> {
  const reached = new Set(scripts);
  // A set walks over what is added while it is walked.
  for (const script of reached) {
    const text = readFileSync(path.join(root, script), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import\() ?'\.\/([\w-]+\.mjs)'/g))
      reached.add(`scripts/${name}`);
    reached.delete('scripts/build-server.mjs');
  }
  return reached;
}

/** Where packages lie, with all that they need. */
function withNeeds(names: string[]): Set<string> {
  const reached = new Set(names.map((name) => `node_modules/${name}`));
  for (const place of reached) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      reached.add(placeOf(name, place));
  }
  return reached;
}

/** As Node looks for it: below who needs it, and then upwards. */
function placeOf(name: string, from: string): string {
  const own = `${from}/node_modules/${name}`;
  const above = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')));
  return packages[own] || from === '' ? own.replace(/^\//, '') : placeOf(name, above);
}

/** What the image's build leaves of node_modules: npm is run as it says, on the manifests alone of what is installed here. */
async function keptPackages(folder: string): Promise<string[]> {
  const there = path.join(folder, 'build');
  const [, script = ''] = /&& node (scripts\/\S+)/.exec(build) ?? [];
  const given = ['.npmrc', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
  const tools = ['scripts/tabler-icons', script, 'scripts/build-server.mjs', 'scripts/freshness.mjs'];
  // The script reads a list of the build, which imports it.
  for (const name of [...given, ...tools, 'node_modules/esbuild'])
    await cp(path.join(root, name), path.join(there, name), { recursive: true });
  const installed = Object.keys(readJson('node_modules/.package-lock.json').packages);
  for (const place of installed) {
    const manifest = path.join(place, 'package.json');
    if (place.startsWith('node_modules/') && existsSync(path.join(root, manifest)))
      await cp(path.join(root, manifest), path.join(there, manifest));
  }
  const env = { ...process.env, npm_config_offline: 'true' };
  await promisify(execFile)(process.execPath, [script], { cwd: there, env });
  const left = readJson(path.join(there, 'node_modules/.package-lock.json')).packages;
  await rm(there, { recursive: true });
  return Object.keys(left).filter((place) => place.startsWith('node_modules/'));
}

describe.each(composeFiles)('%s', (name) => {
  const { services, volumes, networks = {} } = readCompose(name);

  test('names only what it has', () => {
    for (const { volumes: mounted = [], depends_on: needed = {}, networks: joined = [] } of Object.values(
      services,
    )) {
      for (const [from = ''] of mounted.map((mount) => mount.split(':'))) {
        if (from.startsWith('./')) expect(existsSync(path.join(root, from)), from).toBe(true);
        else expect(Object.keys(volumes)).toContain(from);
      }
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(needed)));
      expect(Object.keys(networks)).toEqual(expect.arrayContaining(joined));
    }
  });

  test('opens nothing to other machines, and gives Vectora settings that it takes', () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    const known = readdirSync('src/server').filter((file) => /settings\.ts$|^env\.ts$/.test(file));
    const sources = known.map((file) => readFileSync(path.join('src/server', file), 'utf8')).join('\n');
    const servers = Object.values(services).filter(({ image: its }) => its === 'vectora');
    expect(servers.length).toBeGreaterThan(0);
    for (const { environment = {} } of servers) {
      const given = Object.entries(environment).map(([key, value]) => [key, filled(value)]);
      const env: Record<string, string> = Object.fromEntries(given);
      for (const key of Object.keys(env)) expect(sources).toMatch(new RegExp(`^\\s+${key}: `, 'm'));
      const settings = readSettings(env);
      expect(settings.publicUrl).toBe('http://localhost:3000');
      expect(settings.databaseUrl === null).toBe(env['DATABASE_URL'] === undefined);
      for (const address of env['OPENSEARCH_URL']?.split(',') ?? [])
        expect(Object.keys(services)).toContain(new URL(address).hostname);
    }
  });
});

/** As compose fills it in where nothing is set: `${NAME:-default}`, and for `${NAME:?why}` something long enough. */
function filled(value: string): string {
  return value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'x'.repeat(32));
}
