/**
 * What people ask of the three samples, and what they ask in vain: each sample with its judged queries (BEIR's form, a folder a list) and with queries
 * that nothing in it answers. How they were judged is in the `README.md` of each list.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { products } from '#server/demo/products.ts';
import { type SampleName, sampleNames } from '#shared/sample-sets.ts';
import type { CorpusRow, JudgedSet } from './judged-set.ts';
import type { JudgedCollection } from './judged-sets.ts';
import { readQueries, readRows } from './read-beir.ts';

export interface NaturalCollection extends JudgedCollection {
  sets: [JudgedSet];
  /** Queries that no document answers. */
  unanswered: string[];
}

/** `natural` was looked at while the ranking was chosen, `fresh` was not. */
export type NaturalList = 'natural' | 'fresh';

/** @param root of the repository */
export function naturalCollections(root: string, list: NaturalList = 'natural'): NaturalCollection[] {
  return sampleNames.map((sample) => {
    const folder = path.join(root, 'src/server/testing/judged', list, sample);
    const rows = rowsOf(root, sample);
    const known = new Set(rows.map(({ _id }) => _id));
    const queries = readQueries(folder);
    for (const { id, grades } of queries)
      for (const document of grades.keys())
        if (!known.has(document))
          throw new Error(`${sample}: ${id} is judged with ${document}, which is not there`);
    const unanswered = readRows(path.join(folder, 'unanswered.jsonl')).map(({ text }) => String(text));
    const name = `${list}: ${sample}`;
    return { name, rows, sets: [{ name, queries }], fields: null, unanswered };
  });
}

function rowsOf(root: string, sample: SampleName): CorpusRow[] {
  const documents: { id: string }[] =
    sample === 'products'
      ? products
      : gunzipSync(readFileSync(path.join(root, 'samples', `${sample}.ndjson.gz`)))
          .toString()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { id: string });
  return documents.map(({ id, ...fields }) => ({ _id: id, ...fields }));
}
