/** What the scripts have in common that put a load on the built server: a server of their own, tenants, requests and figures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { freshKey, readFilms } from './films.mjs';
import { root } from './freshness.mjs';

/** On a fresh embedded database; its settings are the defaults but for those given. */
export async function startServer(settings = {}) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'measure-load-'));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const address = /is running at (\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, pid: child.pid, stop };
}

/** Megabytes of a process. Linux only; elsewhere 0. */
export function residentMegabytes(pid) {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

export async function firstFilms(max) {
  const films = [];
  for await (const film of readFilms()) {
    if (films.length >= max) break;
    films.push(film);
  }
  return films;
}

/** An account of its own, with the films in its collection `films`; answers its key. */
export async function newTenant(url, films, more = []) {
  const key = await freshKey(url, { collections: ['films', ...more], dimension: 384 });
  await upload({ url, key, collection: 'films', films });
  return key;
}

export async function upload({ url, key, collection, films, signal }) {
  const response = await fetch(`${url}/api/collections/${collection}/documents/import`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' },
    body: films.map(({ line }) => line).join(''),
    signal,
  });
  if (response.status !== 200) throw new Error(`import: ${response.status} ${await response.text()}`);
  await response.json();
}

/** Beyond so many a request waits for a connection, which counts in its time: a caller that opens ever more measures itself. */
const connectionsMax = 512;

/** Asks over connections that are kept; answers the status, 0 for none, and the milliseconds since `startedAt` until the last byte. */
export function createAsker(url, headers) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connectionsMax });
  const ask = (target, startedAt = performance.now()) =>
    new Promise((resolve) => {
      const done = (status) => resolve({ status, ms: performance.now() - startedAt });
      const request = http.get(new URL(target, url), { agent, headers }, (response) => {
        response.resume();
        response.once('end', () => done(response.statusCode));
        response.once('error', () => done(0));
      });
      request.once('error', () => done(0));
    });
  return { ask, close: () => agent.destroy() };
}

export function summary(ms) {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: round(at(0.5)), p99: round(at(0.99)), max: round(at(1)) };
}

export function round(value) {
  return Math.round(value * 10) / 10;
}
