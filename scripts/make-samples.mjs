// Makes the sample collections in samples/ from the public collections they are taken from (see samples/README.md).
// Usage: node scripts/make-samples.mjs DIR, where DIR holds wiki-movies/corpus.jsonl.gz and artworks/corpus.jsonl.gz
import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip, gzipSync } from 'node:zlib';

const filmsMax = 4_000;

const [source] = process.argv.slice(2);
if (!source) throw new Error('Name the folder that holds the collections');

async function readCorpus(name) {
  const file = path.join(source, name, 'corpus.jsonl.gz');
  const rows = [];
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    if (line !== '') rows.push(JSON.parse(line));
  }
  return rows;
}

function write(name, rows) {
  const lines = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
  const packed = gzipSync(lines, { level: 9 });
  writeFileSync(path.join('samples', `${name}.ndjson.gz`), packed);
  process.stdout.write(`${name}: ${rows.length} documents, ${packed.length} bytes\n`);
}

// Films with the longest extracts: the better known ones have the most to say.
const films = (await readCorpus('wiki-movies'))
  .filter((film) => film.text.length > 0)
  .sort((a, b) => b.text.length - a.text.length || (a._id < b._id ? -1 : 1))
  .slice(0, filmsMax)
  .sort((a, b) => a.year - b.year || (a._id < b._id ? -1 : 1))
  .map(({ _id, title, text, year, cast, genres }) => ({ id: _id, title, extract: text, year, cast, genres }));
write('films', films);

const artworks = (await readCorpus('artworks')).map(({ _id, title, text, ...rest }) => ({
  id: _id,
  title,
  description: text,
  ...rest,
}));
write('artworks', artworks);
