/**
 * Uploads that are small on the wire and large behind it: gzip that unpacks to far more, tables with one endless cell, quote or head, dry runs that remember
 * many rows, all of them many at once. The main thread is held for 50 ms at most at a time, by its own processor time, memory stays
 * within some hundred megabytes, another tenant's searches are answered, and no answer is a fault of the server's.
 *
 *   node scripts/attacks/packed-uploads.mjs
 */
import { gzipSync } from 'node:zlib';
import { createBurst } from './burst.mjs';
import { withTarget } from './target.mjs';

const moreMemoryMb = 700;
const atOnce = 8;
const megabyte = 1024 * 1024;

const csv = 'text/csv';
const lines = 'application/x-ndjson';
const packed = { 'content-encoding': 'gzip' };

const uploads = [
  ['zeros, a thousand times what is sent', lines, gzipSync(Buffer.alloc(200 * megabyte)), packed],
  ['gzip within gzip', lines, gzipSync(gzipSync(Buffer.alloc(200 * megabyte))), packed],
  ['many empty members of gzip', lines, Buffer.concat(Array(200_000).fill(gzipSync(''))), packed],
  ['half of a gzip', lines, halfOf(gzipSync(Buffer.from(rows(4_000, documentAt)))), packed],
  ['what is no gzip', lines, Buffer.alloc(megabyte, 7), packed],
  ['rows that repeat, packed as well as may be', lines, gzipSync(rows(4_000, documentAt)), packed],
  ['a table of one cell that does not end', csv, `id,title\n1,"${'x'.repeat(20 * megabyte)}`, {}],
  ['a table of quotation marks', csv, `id,title\n1,"${'""'.repeat(5 * megabyte)}"\n`, {}],
  [
    'a table with a head of a hundred thousand columns',
    csv,
    `${rows(100_000, (i) => `c${i}`, ',')}\n1\n`,
    {},
  ],
  ['a table of delimiters', csv, `id,title\n${rows(200, () => ','.repeat(50_000))}\n`, {}],
  ['a table of empty lines', csv, `id,title\n${'\r\n'.repeat(5 * megabyte)}`, {}],
  ['a table whose delimiter cannot be told', csv, `${',;\t|'.repeat(2 * megabyte)}\n`, {}],
  ['a table in UTF-16 that ends within a character', csv, utf16(`id,title\n1,${'𝒳'.repeat(megabyte)}`), {}],
];

function rows(count, rowAt, separator = '\n') {
  return Array.from({ length: count }, (_, i) => rowAt(i)).join(separator);
}

function documentAt(i) {
  return JSON.stringify({ id: `d${i % 1000}`, title: `robots learning to love ${i}` });
}

function halfOf(bytes) {
  return bytes.subarray(0, bytes.length / 2);
}

function utf16(text) {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bytes.subarray(0, bytes.length - 1);
}

/** Answered, refused as wrong or as too much, or told to come back. */
const statuses = [200, 207, 400, 413, 415, 422, 429, 503];

await withTarget(async (target) => {
  for (let i = 0; i < atOnce; i += 1) await target.createCollection(`c${i}`, 384);
  const burst = await createBurst(target, { statuses, moreMemoryMb });
  for (const query of ['', '?dry_run=true']) {
    for (const [name, type, body, headers] of uploads) {
      await burst(`${name}${query}`, atOnce, (i) =>
        target.send('POST', `/api/collections/c${i}/documents/import${query}`, body, {
          'content-type': type,
          ...headers,
        }),
      );
    }
  }
});
