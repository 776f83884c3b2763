/**
 * How long a stranger waits: what is committed, cloned into an empty folder, `npm start` until it answers, which installs and builds first; then the same
 * again. By the clock, with npm's cache as it is, so on a quiet machine and twice: the second run has it filled.
 *
 *   node scripts/measure-start.mjs
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from './address-of.mjs';
import { root } from './freshness.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'vectora-first-start-'));
const clone = path.join(folder, 'vectora');
try {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone], { stdio: 'inherit' });
  for (const name of ['first', 'second', 'third']) console.log(`${name} start: ${await start()} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Seconds until `/health` is answered. The server is ended then. */
async function start() {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, PORT: '0', DATA_DIR: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
    // What npm starts is ended with it.
    detached: true,
  });
  const ended = once(child, 'exit');
  const url = await addressOf(child);
  const { ok } = await fetch(`${url}/health`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  process.kill(-child.pid, 'SIGTERM');
  await ended;
  // npm is gone before what it started.
  while (isThere(-child.pid)) await sleep(50);
  if (!ok) throw new Error('it answers, and is not well');
  return seconds;
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
