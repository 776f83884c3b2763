import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { products } from '#server/demo/products.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import type { SampleName } from '#shared/sample-sets.ts';

const unpack = promisify(gunzip);

/** The documents of a sample as an upload's rows. The largest file is 6 MB when it is unpacked. */
export async function* readSample(samplesDir: string, sample: SampleName): AsyncGenerator<ImportRow> {
  let index = 0;
  for (const text of await linesOf(samplesDir, sample)) yield { index: index++, text };
}

async function linesOf(samplesDir: string, sample: SampleName): Promise<string[]> {
  if (sample === 'products') return products.map((product) => JSON.stringify(product));
  const packed = await readFile(path.join(samplesDir, `${sample}.ndjson.gz`));
  return (await unpack(packed))
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}
