import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CorpusRow, JudgedQuery } from './judged-set.ts';

/** `corpus.jsonl` of a folder, gzipped or not. */
export function readCorpus(folder: string): CorpusRow[] {
  return readRows(path.join(folder, 'corpus.jsonl')) as CorpusRow[];
}

/** The queries of a folder in BEIR's form that have a relevant document; none where it has no queries. */
export function readQueries(folder: string): JudgedQuery[] {
  if (!existsSync(path.join(folder, 'queries.jsonl'))) return [];
  const judged = readGrades(folder);
  return readRows(path.join(folder, 'queries.jsonl')).flatMap((row) => {
    const id = String(row['_id']);
    const grades = judged.get(id);
    return grades === undefined ? [] : [{ id, text: String(row['text']), grades }];
  });
}

/** Grades by query. A first line of names is passed over. */
function readGrades(folder: string): Map<string, Map<string, number>> {
  const file = ['qrels.tsv', 'qrels/test.tsv'].find((name) => existsSync(path.join(folder, name)));
  if (file === undefined) throw new Error(`${folder} has queries, and neither qrels.tsv nor qrels/test.tsv`);
  const judged = new Map<string, Map<string, number>>();
  for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
    const [query = '', document = '', score] = line.trim().split('\t');
    const grade = Number(score);
    if (document === '' || !(grade > 0)) continue;
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, grade));
  }
  return judged;
}

/** The lines of a file as JSON, gzipped or not. */
export function readRows(file: string): Record<string, unknown>[] {
  const bytes = existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`));
  const lines = bytes.toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}
