// What is installed, and whether that is what the lock says. Node's own modules only: it runs before any install.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { at, hashOf, isDelivered, isFresh, run, runCode } from './freshness.mjs';

const stamp = at('node_modules', '.vectora-install');

/**
 * Installs when dependencies, Node or the platform are not those of the last install. For 'start' that is what builds and runs the
 * server, for 'all' also what tests and checks it, which is half as much again. An install of all serves for both.
 */
export async function ensureInstalled(scope) {
  if (isDelivered) return;
  const wanted = fingerprint();
  const isStale = existsSync(stamp) && !isFresh(stamp, wanted);
  if (isStale || !holds(scope)) await install(scope, isStale);
  // Without a stamp somebody ran npm themselves.
  if (!isFresh(stamp, wanted)) await writeFile(stamp, wanted);
}

function fingerprint() {
  const { dependencies, optionalDependencies, devDependencies, allowScripts } = readJson('package.json');
  return hashOf([
    JSON.stringify({ dependencies, optionalDependencies, devDependencies, allowScripts }),
    readFileSync(at('package-lock.json')),
    `${process.versions.node.split('.')[0]} ${process.platform} ${process.arch}`,
  ]);
}

/** Whether each package that the lock names is there; an optional one may be for another platform. */
function holds(scope) {
  const there = findInstalled();
  const { packages } = readJson('package-lock.json');
  return Object.entries(packages).every(([name, wanted]) => {
    // What a link is for stands at the folder that it leads to.
    const { optional, dev, devOptional } = wanted.link ? packages[wanted.resolved] : wanted;
    if (name === '' || optional) return true;
    if (scope === 'start' && (dev || devOptional)) return true;
    return there[name] !== undefined && there[name].version === wanted.version;
  });
}

/** The packages that npm has put there: it notes them as the last thing it does, and by `--package-lock-only` others with them. */
function findInstalled() {
  const note = 'node_modules/.package-lock.json';
  if (!existsSync(at(note))) return {};
  return Object.fromEntries(Object.entries(readJson(note).packages).filter(([name]) => existsSync(at(name))));
}

async function install(scope, isStale) {
  process.stdout.write('Installing packages …\n');
  // What runs on these packages already must not lose them, as it would by `npm ci`.
  if (!isStale && holds('start')) return await npm('install', '--no-save', '--include=dev');
  // A folder of the clone that is linked to is there without an install.
  const hasTools = Object.entries(findInstalled()).some(
    ([name, { dev }]) => dev && name.startsWith('node_modules/'),
  );
  await npm('ci', scope === 'all' || hasTools ? '--include=dev' : '--omit=dev');
}

/** Node takes four, which on two cores spend a tenth of the install waiting for each other. */
const fileThreads = Math.min(4, availableParallelism());

/** What npm's cache knows of a package counts, which is quicker; the registry is asked when that was too old. */
async function npm(...args) {
  // npm passes its own settings down in the environment; the inner npm must read its own.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { UV_THREADPOOL_SIZE: String(fileThreads), ...Object.fromEntries(own) };
  const command = [...args, '--no-audit', '--no-fund'];
  if ((await runCode(...npmCall([...command, '--prefer-offline'], { env }))) === 0) return;
  process.stdout.write('Trying again with what the registry says …\n');
  await run(...npmCall(command, { env }));
}

/** On Windows npm is a batch file, which only a shell starts; none of these words needs quoting there. */
export function npmCall(words, options, platform = process.platform) {
  if (platform !== 'win32') return ['npm', words, options];
  return [['npm', ...words].join(' '), [], { ...options, shell: true }];
}

function readJson(name) {
  return JSON.parse(readFileSync(at(name), 'utf8'));
}
