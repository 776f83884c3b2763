// A Chromium for the end-to-end tests: the machine's own, one that Playwright keeps, or one installed now.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { bin, runCode } from './freshness.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @returns {Promise<string>} the program's path  @throws Error when none can be had */
export async function findChromium() {
  const found = onPath() ?? (await ofPlaywright());
  if (found) return found;
  await install();
  const installed = onPath() ?? (await ofPlaywright());
  if (!installed) throw new Error('no Chromium was found and none could be installed');
  return installed;
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(canRun);
}

function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function ofPlaywright() {
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return existsSync(file) ? file : null;
}

async function install() {
  const packages = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    if ((await runCode('apt-get', packages, { env })) === 0) return;
    await runCode('apt-get', ['update'], { env });
    if ((await runCode('apt-get', packages, { env })) === 0) return;
  }
  await runCode(bin('playwright'), ['install', 'chromium']);
}
