// What is built, and whether that is still what the sources say. Node's own modules only: it runs before any install.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const at = (...names) => path.join(root, ...names);

/** The first line people read when their Node is too old to run the rest. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Vectora needs Node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

/** An image holds what was built and what it runs on, and no sources. */
export const isDelivered = !existsSync(at('src'));

const parts = {
  client: {
    output: 'dist/client/index.html',
    sources: [
      'src/client',
      'src/shared',
      'docs',
      'scripts/articles',
      'public',
      'index.html',
      'reference.html',
      'vite.config.ts',
      '.postcssrc.json',
    ],
    async build() {
      // A test or a shell may say otherwise, and React's development half would be built.
      process.env.NODE_ENV = 'production';
      const { build } = await import('vite');
      await build({ root, logLevel: 'warn' });
    },
  },
  server: {
    output: 'dist/server/main.js',
    sources: ['src/server', 'src/shared', 'scripts/build-server.mjs'],
    async build() {
      const { buildServer } = await import('./build-server.mjs');
      await buildServer();
    },
  },
};

/**
 * Builds what is stale, in a process of its own: the bundlers leave a process, hundreds of megabytes and an environment variable behind,
 * and what follows in this one is a server or tests.
 */
export async function ensureBuilt(names = Object.keys(parts), options = {}) {
  if (isDelivered) return;
  const stale = names.filter((name) => !isBuilt(name, fingerprint(name)));
  if (stale.length > 0) await run(process.execPath, [at('scripts', 'build.mjs'), ...stale], options);
}

/** Builds what is stale of these, here and side by side. */
export async function build(names) {
  await Promise.all((names.length > 0 ? names : Object.keys(parts)).map(buildPart));
}

async function buildPart(name) {
  const wanted = fingerprint(name);
  if (isBuilt(name, wanted)) return;
  process.stdout.write(`Building the ${name === 'client' ? 'console' : name} …\n`);
  await parts[name].build();
  await mkdir(at('dist'), { recursive: true });
  await writeFile(stampOf(name), wanted);
}

const stampOf = (name) => at('dist', `.${name}-stamp`);
const isBuilt = (name, wanted) => existsSync(at(parts[name].output)) && isFresh(stampOf(name), wanted);
const fingerprint = (name) =>
  hashOf([readFileSync(at('package-lock.json')), ...parts[name].sources.flatMap(contents)]);

/** Name and content of every source below; tests do not make a build stale. */
function contents(source) {
  if (!existsSync(at(source))) return [];
  const files = source.includes('.') ? [source] : filesBelow(source);
  return files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => [file, readFileSync(at(file))]);
}

function filesBelow(folder) {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

export function hashOf(pieces) {
  const hash = createHash('sha256');
  // The length goes in first, so that two pieces cannot be mistaken for one.
  for (const piece of pieces) hash.update(`${Buffer.byteLength(piece)}:`).update(piece);
  return hash.digest('hex');
}

export function isFresh(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** Runs a program with this one's terminal; a signal to us goes on to it. Answers its exit code. */
export function runCode(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const pass = (signal) => child.kill(signal);
    const forget = () => {
      process.off('SIGTERM', pass);
      process.off('SIGINT', pass);
    };
    process.on('SIGTERM', pass);
    process.on('SIGINT', pass);
    child.once('error', (error) => {
      forget();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      forget();
      if (signal === 'SIGTERM' || signal === 'SIGINT') process.exit(1);
      resolve(code ?? 1);
    });
  });
}

export async function run(command, args, options) {
  const code = await runCode(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with code ${code}`);
}

/** A program that a package has installed. */
export const bin = (name) => at('node_modules', '.bin', name);
