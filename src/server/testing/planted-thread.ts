import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

/** Bundles `planted-worker.ts`. Its threads have little memory, so that one that asks for more and more ends soon. */
export async function buildPlantedThread() {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-planted-'));
  const outfile = path.join(folder, 'planted-worker.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'planted-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return {
    startWorker: () => new Worker(outfile, { resourceLimits: { maxOldGenerationSizeMb: 64 } }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
