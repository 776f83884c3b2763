import { build } from 'esbuild';
import { root } from './freshness.mjs';

/**
 * Sources of the server as one module, bundled in memory: `contents` says what it exports, with paths from the root.
 * @param plugins of esbuild
 */
export async function loadSources(contents, plugins = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
