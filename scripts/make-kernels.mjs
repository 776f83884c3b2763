import { readFile, writeFile } from 'node:fs/promises';
import { assembleWasm } from './assemble-wasm.mjs';

/** Makes the bytes of the transformer's kernels from their text. They are committed, so that no build needs this. */
const folder = new URL('../src/server/embeddings/transformer/', import.meta.url);

const bytes = assembleWasm(await readFile(new URL('kernels.wat', folder), 'utf8'));
const lines = (
  Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,100}/g) ?? []
).map((line) => `  '${line}',`);
await writeFile(
  new URL('kernel-bytes.ts', folder),
  `/** \`kernels.wat\` as bytes, in base64: made by \`node scripts/make-kernels.mjs\`. */\nexport const kernelBytes = [\n${lines.join('\n')}\n].join('');\n`,
);
process.stdout.write(`${bytes.length} bytes\n`);
