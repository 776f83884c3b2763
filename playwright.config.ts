import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { chromiumOnPath } from './scripts/chromium.mjs';

/**
 * The built product in a real Chromium: `npm run build && npx playwright test`. The server takes a free port and gets a data folder of its own.
 * This file is read again by every test process, so what was chosen once is kept in the environment.
 */
const env = process.env;
env['E2E_DATA_DIR'] ??= ownFolder();
const dataDir = env['E2E_DATA_DIR'];
const chromium = env['CHROMIUM_PATH'] ?? env['CHROMIUM'] ?? chromiumOnPath();

export default defineConfig({
  testDir: 'e2e',
  // What `npm run test:long` runs besides.
  testIgnore: env['LONG_TESTS'] ? [] : ['**/*.long.spec.ts'],
  // `npm test` runs them beside the other tests, and each waits for its server half of the time.
  workers: 2,
  // For a machine with other work: what is waited for ends the wait, so a limit costs nothing; a hang must not outlast the suite.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  forbidOnly: Boolean(env['CI']),
  reporter: [['list']],
  outputDir: path.join(dataDir, 'results'),
  use: {
    ...devices['Desktop Chrome'],
    // Set by `webServer.wait`, for the test processes.
    baseURL: `http://127.0.0.1:${env['E2E_PORT']}`,
    actionTimeout: 120_000,
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      // What draws without a graphics card as if there were one takes a tenth of the processors. Chromium's own sandbox refuses to start for root.
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
  webServer: {
    command: 'exec node --enable-source-maps dist/server/main.js',
    // A port that is chosen here could be another process' by the time the server takes it.
    wait: { stdout: /running at http:\/\/127\.0\.0\.1:(?<e2e_port>\d+)$/m },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: path.join(dataDir, 'data'),
      STORAGE_RESERVE_MB: '16',
      LOG_LEVEL: 'warn',
      SIGNUPS_PER_ADDRESS: '100',
      // Their receivers are on this machine.
      WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true',
      // For a machine with other work: nothing is refused because it came to be slow.
      SEARCH_TIMEOUT_MS: '60000',
      SEARCH_DELAY_MS: '0',
      EMBEDDING_WAIT_SECONDS: '60',
      EMBEDDINGS: 'static',
      DATABASE_WAIT_SECONDS: '60',
      PASSWORD_HASH_MEMORY_MB: '1',
      PASSWORD_HASH_PASSES: '1',
      // By `npm run test:opensearch`: with OPENSEARCH_URL.
      ...(env['TEST_SEARCH_ENGINE'] === 'opensearch' ? { SEARCH_ENGINE: 'opensearch' } : {}),
    },
  },
});

/** Removed by the process that made it, when all is over: a global teardown would come before the server has stopped. */
function ownFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vectora-e2e-'));
  if (!env['E2E_KEEP']) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
