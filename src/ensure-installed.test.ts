import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** What is installed before a start and before tests, by the real npm, in a clone whose packages are archives beside it. */
const root = path.resolve(import.meta.dirname, '..');
const realNpm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();

/** Each npm takes a second of a processor: `npm run test:long` asks for what is rarer. */
const isLong = Boolean(process.env['LONG_TESTS']);
const noTests = () => undefined;

let folder: string;
let clone: string;
/** A clone before any install, and what it would be locked to later. Each test has a copy. */
let origin: string;

beforeAll(async () => {
  origin = await mkdtemp(path.join(tmpdir(), 'vectora-install-'));
  const untouched = path.join(origin, 'clone');
  const later = path.join(origin, 'later');
  await mkdir(path.join(untouched, 'scripts'), { recursive: true });
  await mkdir(path.join(untouched, 'src'));
  for (const name of ['ensure-installed.mjs', 'freshness.mjs', 'install-all.mjs']) {
    await cp(path.join(root, 'scripts', name), path.join(untouched, 'scripts', name));
  }
  for (const name of ['library', 'tool']) pack(name, untouched);
  writeManifest(path.join(untouched, 'stand-in'), 'stand-in');
  await cp(untouched, later, { recursive: true });
  lock(untouched, 'first');
  lock(later, 'second');
});
afterAll(() => rm(origin, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vectora-install-'));
  clone = path.join(folder, 'clone');
  await cp(path.join(origin, 'clone'), clone, { recursive: true });
  writeNpm(`exec '${realNpm}' "$@"`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The npm that scripts find: it notes what it is asked and goes on as told. */
function writeNpm(action: string): void {
  const program = path.join(folder, 'bin/npm');
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${folder}/calls'\n${action}\n`);
  chmodSync(program, 0o755);
}

function pack(name: string, to: string): void {
  writeManifest(path.join(origin, name, 'package'), name);
  execFileSync('tar', ['-czf', path.join(to, `${name}.tgz`), '-C', path.join(origin, name), 'package']);
}

function writeManifest(to: string, name: string): void {
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
}

/** A library to start with, a tool for the tests, and another that npm links to its folder in the clone; another `mark` is another lock. */
function lock(cwd: string, mark: string): void {
  const manifest = {
    name: 'clone',
    version: '1.0.0',
    license: mark,
    dependencies: { library: 'file:library.tgz' },
    devDependencies: { tool: 'file:tool.tgz', 'stand-in': 'file:stand-in' },
  };
  writeFileSync(path.join(cwd, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'];
  execFileSync(realNpm, args, { cwd, env: ownEnv(), stdio: 'pipe' });
}

async function takeLaterLock(): Promise<void> {
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(path.join(origin, 'later', name), path.join(clone, name));
  }
}

/** Settings of the npm that runs these tests are not those of the one under test. */
const ownEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

function run(command: string, ...args: string[]): string {
  const PATH = `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH']}`;
  return execFileSync(command, args, {
    cwd: clone,
    env: { ...ownEnv(), PATH },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const beforeStart = () =>
  run('node', '-e', "import('./scripts/ensure-installed.mjs').then((m) => m.ensureInstalled('start'))");
const beforeTests = () => run('node', 'scripts/install-all.mjs');

const inModules = (...names: string[]) => path.join(clone, 'node_modules', ...names);
const installed = () => ['library', 'tool'].filter((name) => existsSync(inModules(name, 'package.json')));

/** What npm was asked to do since the last look, without what every call has. */
function takeCalls(): string[] {
  const file = path.join(folder, 'calls');
  if (!existsSync(file)) return [];
  const calls = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(file);
  return calls.map((call) => call.replace(' --no-audit --no-fund', ''));
}

describe('from nothing', () => {
  test('a start installs what it needs, once', () => {
    expect(beforeStart()).toContain('Installing packages');
    expect(installed()).toEqual(['library']);
    expect(takeCalls()).toEqual(['ci --omit=dev --prefer-offline']);
    expect(beforeStart()).toBe('');
    expect(takeCalls()).toEqual([]);
  });

  test('tests install all, and a start afterwards neither adds nor removes', () => {
    beforeTests();
    expect(installed()).toEqual(['library', 'tool']);
    expect(takeCalls()).toEqual(['ci --include=dev --prefer-offline']);
    expect(beforeStart() + beforeTests()).toBe('');
    expect(installed()).toEqual(['library', 'tool']);
    expect(takeCalls()).toEqual([]);
  });
});

test('tests after a start add the rest, and leave in place what a running server may have open', () => {
  beforeStart();
  const before = readFileSync(path.join(clone, 'package-lock.json'), 'utf8');
  writeFileSync(inModules('library', 'in-use'), '');
  expect(beforeTests()).toContain('Installing packages');
  expect(installed()).toEqual(['library', 'tool']);
  expect(existsSync(inModules('library', 'in-use'))).toBe(true);
  expect(readFileSync(path.join(clone, 'package-lock.json'), 'utf8')).toBe(before);
  takeCalls();
  expect(beforeTests() + beforeStart()).toBe('');
  expect(takeCalls()).toEqual([]);
});

(isLong ? describe : noTests)('npm run by hand', () => {
  test('`npm ci` serves for both', () => {
    run(realNpm, 'ci', '--offline');
    expect(beforeStart() + beforeTests()).toBe('');
    expect(takeCalls()).toEqual([]);
  });

  test('`npm ci --omit=dev` serves for a start', () => {
    run(realNpm, 'ci', '--offline', '--omit=dev');
    expect(beforeStart()).toBe('');
    expect(takeCalls()).toEqual([]);
    beforeTests();
    expect(installed()).toEqual(['library', 'tool']);
  });

  test('what was removed since is installed again', () => {
    beforeTests();
    run(realNpm, 'prune', '--offline', '--omit=dev');
    expect(installed()).toEqual(['library']);
    expect(beforeStart()).toBe('');
    beforeTests();
    expect(installed()).toEqual(['library', 'tool']);
  });

  test('a package that npm notes and has not put there is installed', () => {
    beforeStart();
    run(realNpm, 'install', '--package-lock-only', '--offline');
    expect(readFileSync(inModules('.package-lock.json'), 'utf8')).toContain('"node_modules/tool"');
    beforeTests();
    expect(installed()).toEqual(['library', 'tool']);
  });

  test('one that was interrupted does not count', () => {
    run(realNpm, 'ci', '--offline');
    rmSync(inModules('.package-lock.json'));
    expect(beforeStart()).toContain('Installing packages');
  });
});

describe('another lock', () => {
  const withTools: readonly string[] = ['library', 'tool'];
  const alone = [
    'a start',
    ['library'] as readonly string[],
    beforeStart,
    'ci --omit=dev --prefer-offline',
  ] as const;
  test.each([
    ...(isLong ? [alone] : []),
    ['a start where the tools were', withTools, beforeStart, 'ci --include=dev --prefer-offline'] as const,
    ['tests', withTools, beforeTests, 'ci --include=dev --prefer-offline'] as const,
  ])('%s installs anew', async (_, there, again, call) => {
    if (there.includes('tool')) beforeTests();
    else beforeStart();
    takeCalls();
    await takeLaterLock();
    expect(again()).toContain('Installing packages');
    expect(installed()).toEqual(there);
    expect(takeCalls()).toEqual([call]);
  });
});

test("npm's cache is too old: the registry is asked", () => {
  writeNpm(`case "$*" in *--prefer-offline*) exit 1;; esac; exec '${realNpm}' "$@"`);
  beforeStart();
  expect(installed()).toEqual(['library']);
  expect(takeCalls()).toEqual(['ci --omit=dev --prefer-offline', 'ci --omit=dev']);
});

test('npm cannot install: that is said, and the next start tries again', () => {
  writeNpm('exit 7');
  expect(beforeStart).toThrow('ended with code 7');
  takeCalls();
  writeNpm(`exec '${realNpm}' "$@"`);
  beforeStart();
  expect(installed()).toEqual(['library']);
});

test('npm is asked through a shell on Windows, where it is a batch file', async () => {
  const { npmCall } = await import(path.join(root, 'scripts/ensure-installed.mjs'));
  const words = ['ci', '--omit=dev'];
  expect(npmCall(words, { env: {} }, 'linux')).toEqual(['npm', words, { env: {} }]);
  expect(npmCall(words, { env: {} }, 'win32')).toEqual(['npm ci --omit=dev', [], { env: {}, shell: true }]);
});
