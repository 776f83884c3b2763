/** What the scripts that read the papers of `arxiv-100k` have in common; where `DATASETS_DIR` is not set, the films that come with the product stand in for them. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { at } from './freshness.mjs';

/** So many papers with ids of their own: after the last one the first again, every fifth of whose longer words is another one. */
export async function* manyPapers(count) {
  let left = count;
  for (let round = 0; left > 0; round += 1) {
    for await (const { _id, ...paper } of papers()) {
      if (left === 0) return;
      left -= 1;
      yield { ...(round === 0 ? paper : altered(paper, round)), id: `${_id}/${round}`, round };
    }
  }
}

/** Every fifth word is another one: of those that others use as well. */
function altered(paper, round) {
  const alter = (text) =>
    text.replace(/[a-z]{6,}/g, (word, at) =>
      (at + round) % 5 === 0 ? `${word.slice(0, 5)}${suffix(word, round)}` : word,
    );
  return { ...paper, title: alter(paper.title), text: alter(paper.text) };
}

function suffix(word, round) {
  return String.fromCharCode(97 + ((word.length * 7 + round * 3) % 26)) + word.slice(-2);
}

async function* papers() {
  const folder = process.env.DATASETS_DIR;
  if (folder) yield* rowsIn(path.join(folder, 'arxiv-100k', 'corpus.jsonl.gz'));
  else
    for await (const { id, title, extract } of rowsIn(at('samples/films.ndjson.gz')))
      yield { _id: id, title, text: extract };
}

async function* rowsIn(file) {
  const input = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line);
}

export function wordsOf(title) {
  return title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
