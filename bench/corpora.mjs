/** The documents that contenders load, `{id, title, text, …}`, and the questions that they are asked. All by fixed seeds. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { seeded } from './figures.mjs';

/** The first `count` papers; beyond 100,000 the same papers again with a third of their words exchanged for others, each time by another seed. */
export async function* papers(count) {
  const own = [];
  for await (const { _id: id, title, text, ...rest } of rows('arxiv-100k')) {
    if (own.length === count) break;
    const paper = { id, title, text, category: rest.primary_category, year: rest.year };
    own.push(paper);
    yield paper;
  }
  if (own.length < count) yield* altered(own, count - own.length);
}

function* altered(own, count) {
  const random = seeded(11);
  const exchanged = (text) =>
    text
      .split(' ')
      .map((word) => (random() < 1 / 3 ? wordOf(own[Math.floor(random() * own.length)], random) : word))
      .join(' ');
  for (let made = 0; made < count; made += 1) {
    const paper = own[made % own.length];
    yield { ...paper, id: `${paper.id}/${made}`, title: exchanged(paper.title), text: exchanged(paper.text) };
  }
}

function wordOf({ text }, random) {
  const words = text.split(' ');
  return words[Math.floor(random() * words.length)] ?? '';
}

export async function* films(count) {
  let given = 0;
  for await (const { _id: id, thumbnail: _, ...film } of rows('wiki-movies')) {
    if (given === count) return;
    given += 1;
    yield { id, ...film };
  }
}

/** Questions by kind, each with the paper that it is made of. A word that is typed wrong is exchanged in two letters, never the first. */
export function questionsOf(own, count) {
  const random = seeded(5);
  const holders = new Map();
  for (const { title, text } of own)
    for (const word of new Set(wordsOf(`${title} ${text}`))) holders.set(word, (holders.get(word) ?? 0) + 1);
  const titled = own.filter(({ title }) => wordsOf(title).length >= 5);
  const asked = Array.from({ length: count }, () => titled[Math.floor(random() * titled.length)]);
  const kinds = { title: [], 'two words': [], 'one typo': [], 'as you type': [] };
  for (const { id, title } of asked) {
    const words = [...new Set(wordsOf(title))].filter((word) => word.length >= 4);
    const rare = words.sort((a, b) => (holders.get(a) ?? 0) - (holders.get(b) ?? 0)).slice(0, 2);
    const two = rare.length === 2 ? rare : wordsOf(title).slice(0, 2);
    const longest = two[0].length >= two[1].length ? 0 : 1;
    const typed = two.map((word, i) => (i === longest ? mistyped(word, random) : word));
    const unfinished = [two[0], two[1].slice(0, 1 + Math.floor(random() * two[1].length))];
    kinds.title.push({ id, text: title });
    kinds['two words'].push({ id, text: two.join(' ') });
    kinds['one typo'].push({ id, text: typed.join(' ') });
    kinds['as you type'].push({ id, text: unfinished.join(' ') });
  }
  return kinds;
}

function wordsOf(text) {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function mistyped(word, random) {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  return `${word.slice(0, at)}${word[at + 1] ?? 'x'}${word[at] ?? ''}${word.slice(at + 2)}`;
}

async function* rows(name) {
  const folder = process.env.DATASETS_DIR;
  if (!folder) throw new Error('Set DATASETS_DIR to the folder that holds the collections');
  const input = createReadStream(path.join(folder, name, 'corpus.jsonl.gz')).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line);
}

/** Lines of JSON as whoever wrote them to a file. */
export async function* linesOf(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}

/** Writes the papers for the contenders; answers them (100,000 at most), for whoever makes questions of them. */
export async function writePapers(file, documents) {
  const out = createWriteStream(file);
  const own = [];
  for await (const paper of papers(documents)) {
    if (own.length < 100_000) own.push(paper);
    if (!out.write(`${JSON.stringify(paper)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return own;
}
