// Makes the filter of common passwords that the server refuses, out of a JSON list of them:
//   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz
//   node scripts/make-password-filter.mjs package/src/passwords.json
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const output = new URL('../src/server/auth/common-passwords.gen.ts', import.meta.url);
const bucketCount = 4096;
/** Shorter ones are no core of a password; see `password-rules.ts`. */
const charactersMin = 4;

const words = JSON.parse(await readFile(process.argv[2], 'utf8'));
const wanted = new Set(words.map((word) => word.normalize('NFKC').toLowerCase()));
const prefixes = [...wanted]
  .filter((word) => word.length >= charactersMin)
  .map((word) => createHash('sha256').update(word).digest())
  .map((hash) => ({ bucket: hash.readUInt16BE() >>> 4, rest: (hash.readUInt32BE(1) >>> 4) & 0xffffff }))
  .sort((a, b) => a.bucket - b.bucket || a.rest - b.rest);

const counts = Buffer.alloc(bucketCount);
for (const { bucket } of prefixes) {
  if (counts[bucket] === 255) throw new Error('too many passwords for so few buckets');
  counts[bucket] += 1;
}
const rests = Buffer.alloc(3 * prefixes.length);
for (const [index, { rest }] of prefixes.entries()) rests.writeUIntBE(rest, 3 * index, 3);

const base64 = Buffer.concat([counts, rests]).toString('base64');
await writeFile(
  output,
  `/** ${prefixes.length} common passwords as a filter; made by scripts/make-password-filter.mjs, licence in common-passwords.LICENSE.txt. */
export const filterBase64 =
  '${base64}';
`,
);
process.stdout.write(
  `${prefixes.length} passwords, ${base64.length} characters in ${fileURLToPath(output)}\n`,
);
