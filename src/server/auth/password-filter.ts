import { hash } from 'node:crypto';
import { filterBase64 } from './common-passwords.gen.ts';

/**
 * A set of 49,000 leaked passwords in 150 KB: the first 36 bits of each one's SHA-256, in 4,096 buckets by the first 12. So it says yes to
 * all of them, and to about one in a million others. The list is that of zxcvbn-ts, after the one of Dropbox' zxcvbn (both MIT).
 */
const bucketCount = 4_096;
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
  const bucket = digest.readUInt16BE() >>> 4;
  const rest = (digest.readUInt32BE(1) >>> 4) & 0xffffff;
  const end = starts[bucket + 1] ?? 0;
  for (let place = starts[bucket] ?? 0; place < end; place++) {
    if (rests.readUIntBE(place * restBytes, restBytes) === rest) return true;
  }
  return false;
}
