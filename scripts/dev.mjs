// `npm run dev`: the console from Vite with hot reload, the server rebuilt and restarted when its sources change.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from './ensure-installed.mjs';
import { requireNode, root } from './freshness.mjs';

const settleMs = 200;

requireNode();
await ensureInstalled('all');
const { buildServer } = await import('./build-server.mjs');
const { createServer } = await import('vite');
const { tanstackRouter } = await import('@tanstack/router-plugin/vite');

let server = null;
let restarting = Promise.resolve();
let timer;

for (const folder of ['src/server', 'src/shared']) {
  watch(path.join(root, folder), { recursive: true }, (_, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(restart);
    }, settleMs);
  });
}
await restart();

// Not in vite.config.ts: a start builds without the compilers that it brings.
const vite = await createServer({ root, plugins: [tanstackRouter({ autoCodeSplitting: false })] });
await vite.listen();
vite.printUrls();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await Promise.all([vite.close(), stopServer()]);
    process.exit(0);
  });
}

/** A build that fails leaves the running server alone: its error is printed, the next change tries again. */
async function restart() {
  try {
    await buildServer();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return;
  }
  await stopServer();
  server = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
    cwd: root,
    stdio: 'inherit',
  });
}

async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}
