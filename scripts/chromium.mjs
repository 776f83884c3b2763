// A Chromium for the end-to-end tests: the machine's own, one that Playwright keeps, or one installed now.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { bin, runCode } from './freshness.mjs';

/** The one without windows first: it needs a third less of the processors. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * @param options of the processes that install it
 * @returns {Promise<string>} the program's path  @throws Error when none can be had
 */
export async function findChromium(options = {}) {
  const found = chromiumOnPath() ?? (await ofPlaywright());
  if (found) return found;
  await install(options);
  const installed = chromiumOnPath() ?? (await ofPlaywright());
  if (!installed) throw new Error('no Chromium was found and none could be installed');
  return installed;
}

/** @returns {string | undefined} */
export function chromiumOnPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(canRun);
}

function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not a program: the next folder is looked at.
  }
}

async function ofPlaywright() {
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return existsSync(file) ? file : null;
}

async function install(options) {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = async (...args) => (await runCode('apt-get', args, { ...options, env })) === 0;
    // Older systems have only the second.
    const add = async () => {
      for (const name of ['chromium-headless-shell', 'chromium']) {
        if (await apt('install', '-y', '--no-install-recommends', name)) return true;
      }
      return false;
    };
    if (await add()) return;
    await apt('update');
    if (await add()) return;
  }
  await runCode(bin('playwright'), ['install', 'chromium'], options);
}
