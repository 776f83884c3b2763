import { build } from 'esbuild';
import { root } from './freshness.mjs';

/** Sources of the server as one module, bundled in memory: `contents` says what it exports, with paths from the root. */
export async function loadSources(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
