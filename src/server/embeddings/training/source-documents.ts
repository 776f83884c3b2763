import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { RandomNumbers } from '#server/random-numbers.ts';
import type { SourceText } from './text-pieces.ts';

/** A set of which more documents than this are judged is one to measure by. */
const judgedShareMax = 0.05;
const fileNames = ['corpus.jsonl.gz', 'corpus.jsonl', 'texts.jsonl.gz', 'texts.jsonl'];
const judgements = 'qrels.tsv';

/**
 * A random part of a folder's documents: `corpus.jsonl` in BEIR's form or `texts.jsonl`, gzipped or not, read as a stream. Rows with `source` make a list for
 * each. What the folder's `qrels.tsv` names is left out; queries are not read.
 * @throws Error there is no such file, or too many of the documents are judged
 */
export async function sourceDocuments(
  folder: string,
  { documentsMax, seed }: { documentsMax: number; seed: number },
): Promise<SourceText[][]> {
  const names = await readdir(folder);
  const judged = names.includes(judgements)
    ? await judgedDocuments(path.join(folder, judgements))
    : new Set();
  const random = new RandomNumbers(seed);
  const samples = new Map<string, { seen: number; kept: SourceText[] }>();
  let rows = 0;
  let leftOut = 0;
  for await (const { id, source, ...document } of documents(fileIn(folder, names))) {
    rows += 1;
    if (judged.has(id)) leftOut += 1;
    else {
      const sample = samples.get(source) ?? { seen: 0, kept: [] };
      samples.set(source, sample);
      sample.seen += 1;
      // Each of those seen so far is kept with the same chance (reservoir sampling; Vitter, 1985).
      const place = sample.kept.length < documentsMax ? sample.kept.length : random.below(sample.seen);
      if (place < documentsMax) sample.kept[place] = document;
    }
  }
  if (leftOut > rows * judgedShareMax)
    throw new Error(`${folder} is a judged set: ${leftOut} of its ${rows} documents are in its qrels.tsv`);
  if (samples.size === 0) throw new Error(`${folder} has no documents`);
  return [...samples.values()].map(({ kept }) => kept);
}

function fileIn(folder: string, names: string[]): string {
  const name = fileNames.find((each) => names.includes(each));
  if (name === undefined) throw new Error(`${folder} has none of ${fileNames.join(', ')}`);
  return path.join(folder, name);
}

async function* documents(file: string): AsyncGenerator<SourceText & { id: string; source: string }> {
  const plain = createReadStream(file);
  const input = file.endsWith('.gz') ? plain.pipe(createGunzip()) : plain;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue;
    const row = JSON.parse(line) as Record<string, unknown>;
    const [id, title, text, source] = ['_id', 'title', 'text', 'source'].map((name) =>
      String(row[name] ?? ''),
    );
    yield { id: id ?? '', title: title ?? '', text: text ?? '', source: source ?? '' };
  }
}

async function judgedDocuments(file: string): Promise<Set<string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(1);
  return new Set(lines.map((line) => line.split('\t')[1] ?? ''));
}
