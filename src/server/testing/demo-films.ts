import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const file = path.resolve(import.meta.dirname, '../../../samples/films.ndjson.gz');

/** Of the demo's films those that the documentation's lines are about, and one of so many others; NDJSON. */
export function demoFilms({ oneOf }: { oneOf: number }): string {
  const all = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  const asked = /robot|android|alien|space|casablanca|love story|blade runner/i;
  return all.filter((film, i) => asked.test(film) || i % oneOf === 0).join('\n');
}
