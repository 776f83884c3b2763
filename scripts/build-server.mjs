import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The server, the threads it starts, the catalogue that the demo loads and the operator's commands; each becomes `dist/server/<name>.js`. */
const entryPoints = {
  main: 'src/server/main.ts',
  'engine-worker': 'src/server/indexes/host/engine-worker.ts',
  'embedding-worker': 'src/server/embeddings/embedding-worker.ts',
  'transformer-worker': 'src/server/embeddings/transformer/transformer-worker.ts',
  'onnx-worker': 'src/server/embeddings/onnx/onnx-worker.ts',
  products: 'src/server/demo/products.ts',
  'print-reset-link': 'src/server/operator/print-reset-link.ts',
  'disable-account': 'src/server/operator/disable-account.ts',
  'set-plan': 'src/server/operator/set-plan.ts',
  migrate: 'src/server/operator/migrate.ts',
};

/**
 * Packages that stay in node_modules: native code, what asks language models, which is read when one is asked first and by nobody else, and a search
 * cluster's client, which is read where there is one.
 */
export const runtimePackages = [
  '@node-rs/argon2',
  'ai',
  '@ai-sdk/openai',
  '@ai-sdk/anthropic',
  '@opensearch-project/opensearch',
];

/**
 * Bundles the server with source maps.
 * Files are replaced whole and only when they changed, so that a build does not disturb a server or a test that reads them.
 */
export async function buildServer() {
  await mkdir(path.join(root, 'dist/server'), { recursive: true });
  const present = Object.entries(entryPoints).filter(([, file]) => existsSync(path.join(root, file)));
  // One build each: they share no chunks, and a fault in one leaves the others up to date.
  const results = await Promise.allSettled(present.map(([name, file]) => bundle(name, file)));
  const faults = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('\n'));
}

async function bundle(name, file) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outdir: 'dist/server',
    sourcemap: true,
    sourcesContent: false,
    entryPoints: { [name]: file },
    external: runtimePackages,
    // Packages in CommonJS form ask for node's own modules through `require`.
    // A name that none of them has at its top.
    banner: {
      js: "import { createRequire as requireFrom$ } from 'node:module'; const require = requireFrom$(import.meta.url);",
    },
    plugins: [nativeSpread],
    write: false,
    logLevel: 'silent',
  });
  await Promise.all(outputFiles.map(replaceIfChanged));
}

/**
 * @trpc/server is compiled for engines without object spread: each one copies property descriptors, several times for every middleware, which was a
 * quarter of the main thread's time for a small request. Its objects are plain, so that assigning is the same.
 */
const nativeSpread = {
  name: 'native-spread',
  setup({ onLoad, onEnd }) {
    const spread = 'function _objectSpread2(e) {';
    const read = { files: 0, spreads: 0 };
    onLoad({ filter: /@trpc[\\/]server[\\/]dist[\\/].*\.mjs$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      read.files += 1;
      if (text.includes(spread)) read.spreads += 1;
      return {
        contents: text.replace(spread, `${spread} return Object.assign(...arguments);`),
        loader: 'js',
      };
    });
    onEnd(() => {
      if (read.files > 0 && read.spreads !== 1) throw new Error('@trpc/server has another object spread now');
    });
  },
};

async function replaceIfChanged(output) {
  const current = await readFile(output.path).catch(() => null);
  if (current?.equals(output.contents)) return;
  const half = `${output.path}.${process.pid}.half`;
  await writeFile(half, output.contents);
  await rename(half, output.path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer();
