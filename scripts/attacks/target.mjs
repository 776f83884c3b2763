/** A server of its own for an attack, on an empty data directory, and those who signed up on it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { at, ensureBuilt, root } from '../freshness.mjs';
import { startEnvironment } from '../start-environment.mjs';

/** Of the figures that Linux tells of a process. */
const ticksPerSecond = 100;
/** What comes of many requests is asked, so they are let in. */
const unlimited = { RATE_LIMIT_KEY: '0', RATE_LIMIT_SESSION: '0', RATE_LIMIT_ADDRESS: '0' };

/** Starts it, lets `attack` at it, and stops it, whatever comes of it. */
export async function withTarget(attack, env = {}) {
  await ensureBuilt();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'vectora-attack-'));
  const watcher = pathToFileURL(at('scripts', 'event-loop-delay.mjs')).href;
  const server = spawn(process.execPath, ['--import', watcher, at('dist', 'server', 'main.js')], {
    cwd: root,
    env: {
      ...process.env,
      ...startEnvironment(),
      ...unlimited,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const longestTurn = watchTurns(server);
  try {
    const url = await addressOf(server);
    await attack({ ...(await signUp(url, server, 'attacker')), longestTurn });
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function addressOf(server) {
  for await (const text of server.stdout) {
    const found = /is running at (\S+)/.exec(String(text));
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

/**
 * Answers the longest turn of the main thread since it was last asked, by the clock and of processor time, which a busy machine does not
 * lengthen. What else the server says is passed on.
 */
function watchTurns(server) {
  let tell = () => undefined;
  createInterface(server.stderr).on('line', (line) => {
    const turn = /longest turn ms: wall ([\d.]+), processor ([\d.]+|NaN)/.exec(line);
    if (turn) tell({ wallMs: Number(turn[1]), processorMs: Number(turn[2]) });
    else process.stderr.write(`${line}\n`);
  });
  return () =>
    new Promise((resolve) => {
      tell = resolve;
      server.kill('SIGUSR2');
    });
}

async function signUp(url, server, username) {
  const email = `${username}@example.com`;
  const password = 'correct horse battery staple';
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, username, password, confirmPassword: password }),
  });
  const [cookie = '', device = ''] = registered.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
  const asUser = async (method, target, body) => {
    const response = await fetch(`${url}${target}`, {
      method,
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const [workspace] = await asUser('GET', '/api/workspaces');
  const project = await asUser('POST', '/api/projects', { name: 'Attack', workspaceId: workspace.id });
  const { key } = await asUser('POST', '/api/api-keys', { name: 'attack', projectId: project.id });
  return {
    url,
    key,
    email,
    password,
    /** The cookie of the browser that has signed up. */
    device,
    /** Another tenant of the same server. */
    newcomer: (name) => signUp(url, server, name),
    createCollection: (name, dimension) =>
      asUser('POST', '/api/collections', { name, dimension, projectId: project.id }),
    dropCollection: (id) => asUser('DELETE', `/api/collections/${id}`),
    /** Status and length of the answer; it is not kept. */
    send: (method, target, body, headers = {}, signal) =>
      send(`${url}${target}`, { method, body, headers: { 'x-api-key': key, ...headers }, signal }),
    memory: () => memoryOf(server.pid),
    processorSeconds: () => processorSecondsOf(server.pid),
    forgetPeak: () => writeFileSync(`/proc/${server.pid}/clear_refs`, '5'),
    openSockets: () => openSocketsOf(server.pid),
    isAlive: () => server.exitCode === null && server.signalCode === null,
  };
}

/** Sent as it is; all else as JSON. */
function isBody(body) {
  return typeof body === 'string' || body instanceof Uint8Array;
}

async function send(url, { method, body, headers, signal }) {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: isBody(body) ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (text.length < 300) text += Buffer.from(chunk).toString().slice(0, 300);
  }
  return { status: response.status, bytes, text, tookMs: Math.round(performance.now() - startedAt) };
}

/** Linux only. */
function openSocketsOf(pid) {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      // Closed meanwhile.
      return '';
    }
  });
  return links.filter((link) => link.startsWith('socket:')).length;
}

/** Of the process without its children, in MB: now, and at most since the peak was forgotten. Linux only. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) =>
    Math.round(Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Of all its threads. Linux only. */
function processorSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Asks an address all the while that `work` runs: what `work` answered, the slowest answer and that of 95 in a hundred, in milliseconds, and the statuses of all. */
export async function askBeside(asked, work) {
  const probe = new Worker(new URL('./probe.mjs', import.meta.url), { workerData: asked });
  await once(probe, 'online');
  try {
    const result = await work();
    probe.postMessage('stop');
    const [{ tookMs, statuses }] = await once(probe, 'message');
    const sorted = tookMs.map(Math.round).sort((a, b) => a - b);
    const p95Ms = sorted[Math.ceil(sorted.length * 0.95) - 1];
    return { result, slowestMs: sorted.at(-1), p95Ms, statuses };
  } finally {
    await probe.terminate();
  }
}

/** The slowest answer of /health while `work` runs, in milliseconds. */
export async function slowestHealth(url, work) {
  const { result, slowestMs, statuses } = await askBeside({ url: `${url}/health` }, work);
  const failed = statuses.find((status) => typeof status !== 'number');
  if (failed !== undefined) throw new Error(`GET /health: ${failed}`);
  return { result, slowestMs };
}

export function print(line) {
  process.stdout.write(`${line}\n`);
}
