import { hash } from 'node:crypto';
import { filterBase64 } from './common-passwords.gen.ts';

/**
 * A set of leaked passwords, three bytes each: the first 38 bits of each one's SHA-256, in 16,384 buckets by the first 14. So it says yes
 * to all of them, and to about one in two million others. They are those of zxcvbn-ts, after Dropbox' zxcvbn, and the 100,000 commonest of
 * 8 characters and more of SecLists' ten million; licences in `common-passwords.LICENSE.txt`.
 */
const bucketCount = 16_384;
const restBytes = 3;

interface Filter {
  rests: Buffer;
  /** Where each bucket begins, and the last one ends. */
  starts: Uint32Array;
}

let filter: Filter | undefined;

function readFilter(): Filter {
  const bytes = Buffer.from(filterBase64, 'base64');
  const starts = new Uint32Array(bucketCount + 1);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    starts[bucket + 1] = (starts[bucket] ?? 0) + (bytes[bucket] ?? 0);
  }
  return { starts, rests: bytes.subarray(bucketCount) };
}

/** Whether a password, lower case, is one of the leaked ones. */
export function isLeaked(password: string): boolean {
  filter ??= readFilter();
  const { starts, rests } = filter;
  const digest = hash('sha256', password, 'buffer');
  const bucket = digest.readUInt16BE() >>> 2;
  const rest = (digest.readUInt32BE(1) >>> 2) & 0xffffff;
  const end = starts[bucket + 1] ?? 0;
  for (let place = starts[bucket] ?? 0; place < end; place++) {
    if (rests.readUIntBE(place * restBytes, restBytes) === rest) return true;
  }
  return false;
}
