/** HAProxy as `compose.haproxy.cfg` sets it up, before servers of this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithThis } from './end-with-this.mjs';

const ownConfig = fileURLToPath(new URL('../compose.haproxy.cfg', import.meta.url));
const startMs = 10_000;

export const hasProxy = () => spawnSync('haproxy', ['-v']).status === 0;

/** The file with these addresses in place of its own; a server that has none is left out. */
function configFor(servers, port) {
  const lines = readFileSync(ownConfig, 'utf8')
    .replace(/^ {2}bind :3000$/m, `  bind 127.0.0.1:${port}`)
    .replace(/ resolvers system init-addr \S+/, '')
    .split('\n');
  const placed = lines.map((line) => {
    const place = /^ {2}server \S+ (vectora-(\d+):3000)/.exec(line);
    if (place === null) return line;
    const server = servers[Number(place[2]) - 1];
    return server === undefined ? '' : line.replace(place[1], new URL(server).host);
  });
  return placed.join('\n');
}

/** @param servers one or two addresses; they need not be there yet */
export async function startProxy(servers, port) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vectora-proxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configFor(servers, port));
  let said = '';
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  endWithThis(child);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said = (said + text).slice(-1_000_000);
    });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + startMs; ; await wait(50)) {
    if (child.exitCode !== null || Date.now() > end) {
      child.kill('SIGKILL');
      remove();
      throw new Error(`haproxy did not start:\n${said}`);
    }
    if (await fetch(`${url}/health`).catch(() => null)) break;
  }
  const stop = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    remove();
  };
  return { url, log: () => said, stop };
}
