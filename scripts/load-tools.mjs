/** What the scripts have in common that put a load on the built server: a server of their own, tenants, requests and figures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { addressOf } from './address-of.mjs';
import { endWithThis } from './end-with-this.mjs';
import { freshKey, readFilms } from './films.mjs';
import { root } from './freshness.mjs';
import { startEnvironment } from './start-environment.mjs';

/** On a fresh embedded database, or the one of a `DATA_DIR` that is given and stays; its settings are the defaults but for those given. `main`: another build of it. */
export async function startServer(settings = {}, main = path.join(root, 'dist/server/main.js')) {
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(path.join(os.tmpdir(), 'measure-load-')));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [main], {
    env: {
      PATH,
      HOME,
      ...startEnvironment(),
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      RATE_LIMIT_KEY: '0',
      // What the transformer does meanwhile is measured by itself.
      EMBEDDINGS: 'static',
      // All callers are on this machine.
      MAX_CONNECTIONS_PER_ADDRESS: '10000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithThis(child);
  const url = await addressOf(child);
  const end = async (signal) => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const stop = async () => {
    await end('SIGTERM');
    if (settings.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { url, pid: child.pid, stop, kill: () => end('SIGKILL') };
}

/** Megabytes of a process. Linux only; elsewhere 0. */
export function residentMegabytes(pid) {
  return statusMegabytes(pid, /VmRSS:\s+(\d+)/);
}

/** The most that it had so far. Linux only; elsewhere 0. */
export function peakMegabytes(pid) {
  return statusMegabytes(pid, /VmHWM:\s+(\d+)/);
}

function statusMegabytes(pid, line) {
  try {
    const kilobytes = line.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

/** Milliseconds for which a process and its main thread have been on processors, which others' load does not change. Linux only; elsewhere 0. */
export function processorMs(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    const main = Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, 'latin1'), 10) / 1e6;
    return { all: (user + system) * 10, main };
  } catch {
    return { all: 0, main: 0 };
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

/**
 * Asks by GET over connections that are kept, so many at most: beyond them a request waits for one, which counts in its time. Answers the status, 0 for none, the milliseconds since `startedAt`
 * until the last byte (`ms`), and those since it was sent (`sentMs`), which it is not before a connection is free.
 * It writes to sockets itself: `node:http` costs the caller about as much as a refusal costs the server, and both are on one machine.
 */
export function createAsker(url, headers, connectionsMax = 500) {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ Host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const idle = [];
  const waiting = [];
  const open = new Set();

  const next = (connection) => {
    const asked = waiting.shift();
    if (asked) send(connection, asked);
    else idle.push(connection);
  };
  const send = (connection, asked) => {
    connection.asked = asked;
    asked.sentAt = performance.now();
    connection.text = '';
    connection.socket.write(`GET ${asked.target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  };
  const finish = (connection, status) => {
    const { asked } = connection;
    connection.asked = null;
    const now = performance.now();
    asked?.resolve({ status, ms: now - asked.startedAt, sentMs: now - asked.sentAt });
  };
  const connectOne = () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection = { socket, asked: null, text: '' };
    open.add(connection);
    socket.on('data', (chunk) => {
      connection.text += chunk.latin1Slice();
      const status = statusOfWhole(connection.text);
      if (status === null) return;
      finish(connection, status);
      next(connection);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(connection);
      const place = idle.indexOf(connection);
      if (place !== -1) idle.splice(place, 1);
      finish(connection, 0);
      const asked = waiting.shift();
      if (asked) send(connectOne(), asked);
    });
    return connection;
  };
  const ask = (target, startedAt = performance.now()) =>
    new Promise((resolve) => {
      const asked = { target, startedAt, resolve };
      const connection = idle.pop();
      if (connection) send(connection, asked);
      else if (open.size < connectionsMax) send(connectOne(), asked);
      else waiting.push(asked);
    });
  /** Opens all connections that there may be, and waits until they are. */
  const connectAll = async () => {
    const opened = [];
    while (open.size < connectionsMax) {
      const connection = connectOne();
      opened.push(once(connection.socket, 'connect'));
      idle.push(connection);
    }
    await Promise.all(opened);
  };
  const close = () => {
    for (const { socket } of open) socket.destroy();
  };
  /** Gives up what is not sent yet. */
  const giveUp = () => {
    for (const { resolve } of waiting.splice(0)) resolve({ status: 0, ms: 0, sentMs: 0 });
  };
  return { ask, connectAll, giveUp, close };
}

/** The status of an answer, once all of it is there; until then null. */
function statusOfWhole(text) {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt === 3) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  const isWhole =
    length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= bodyAt + Number(length);
  return isWhole ? Number(text.slice(9, 12)) : null;
}

export function summary(ms) {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: round(at(0.5)), p99: round(at(0.99)), max: round(at(1)) };
}

export function round(value) {
  return Math.round(value * 10) / 10;
}
