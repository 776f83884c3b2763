/**
 * What a running server needs in memory, with every process below it: its Postgres, and whatever else there should not be.
 *
 *   node scripts/measure-memory.mjs <pid>            of a server that runs already
 *   node scripts/measure-memory.mjs                  starts one on an empty data directory, waits, measures and stops it
 *   node scripts/measure-memory.mjs --npm            by `npm start`; what npm itself needs is counted apart
 *
 * PSS: memory that several processes share is counted once among them. Linux only, as root or as the account of the processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt, root } from './freshness.mjs';

const idleMs = 10_000;
const [given] = process.argv.slice(2);
if (given && /^\d+$/.test(given)) report(Number(given));
else await measureFresh(given === '--npm');

async function measureFresh(isByNpm) {
  if (!isByNpm) await ensureBuilt();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vectora-memory-'));
  try {
    for (const which of ['first', 'second']) {
      const [command, args] = isByNpm
        ? ['npm', ['start']]
        : [process.execPath, ['--enable-source-maps', path.join(root, 'dist/server/main.js')]];
      const startedAt = performance.now();
      const server = spawn(command, args, {
        cwd: root,
        env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const text of server.stdout) if (String(text).includes('is running at')) break;
      process.stdout.write(`${which} start: ${Math.round(performance.now() - startedAt)} ms\n`);
      await pause(idleMs);
      report(server.pid);
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(pid) {
  const processes = descendants(pid).map((id) => ({ id, name: nameOf(id), pss: pssOf(id) }));
  for (const { id, name, pss } of processes) {
    process.stdout.write(`${inMegabytes(pss).padStart(8)} MB  ${id}  ${name}\n`);
  }
  const counted = processes.filter(({ name }) => !/^npm/.test(name));
  const total = counted.reduce((sum, { pss }) => sum + pss, 0);
  process.stdout.write(
    `${inMegabytes(total).padStart(8)} MB  together, ${counted.length} processes without npm\n`,
  );
}

/** The process and all below it. */
function descendants(pid) {
  const parents = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${id}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(id)]);
  }
  const below = (id) => [id, ...(parents.get(id) ?? []).flatMap(below)];
  return below(pid);
}

function nameOf(id) {
  const words = read(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim();
  return words.replace(/\s+/g, ' ').slice(0, 70);
}

/** In KB. */
function pssOf(id) {
  return Number(/^Pss:\s*(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);
}

function inMegabytes(kilobytes) {
  return (kilobytes / 1024).toFixed(1);
}

/** A process may end while it is looked at. */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
