/** The figures of a script that measures a server of its own, of several runs one after the other. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** @param script its name in `scripts` @returns what it writes with `--json`, a run each */
export function figuresOfRuns(script, runs, options = []) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'attack-figures-'));
  const file = path.join(folder, 'figures.json');
  const command = [path.join(import.meta.dirname, '..', script), ...options, '--json', file];
  try {
    return Array.from({ length: runs }, () => {
      rmSync(file, { force: true });
      const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw new Error(`${script} ended with ${status}`);
      return JSON.parse(readFileSync(file, 'utf8'));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of an odd number of values. One run of a machine that has other things to do says little. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
