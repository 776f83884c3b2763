import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { figuresOf } from '#server/indexes/relevance/list-figures.ts';
import { SearchIndex } from './search-index.ts';
import { document, searchFor, smallSettings } from './testing/fixtures.ts';
import type { SearchQuery } from './types.ts';

/**
 * nDCG@10 on judged collections, beside BM25 measured elsewhere (title and text as one field, k1 .9, b .4, the same stemmer and stop words). Scores
 * repeat exactly, so the floors are what is reached, cut to three digits: a change that costs anything is seen, and one that gains raises them.
 */
const folder = process.env['DATASETS_DIR'];
const sets = [
  { name: 'cranfield', reference: 0.484, bagOfWords: 0.526, defaults: 0.526 },
  { name: 'medline', reference: 0.671, bagOfWords: 0.69, defaults: 0.691 },
  { name: 'cisi', reference: 0.361, bagOfWords: 0.417, defaults: 0.418 },
  { name: 'cacm', reference: 0.477, bagOfWords: 0.518, defaults: 0.517 },
];
/** What `auto` may lose against `any`. */
const lossMax = 0.002;

describe.each(sets)('relevance on $name (BM25 elsewhere: $reference)', ({ name, bagOfWords, defaults }) => {
  const path = `${folder ?? ''}/${name}`;
  const isHere = folder !== undefined && existsSync(`${path}/corpus.jsonl`);

  it.skipIf(!isHere)(
    `reaches its floors (needs DATASETS_DIR with ${name})`,
    () => {
      const index = SearchIndex.create(smallSettings);
      const puts = rows(`${path}/corpus.jsonl`).map((row) =>
        document(row['_id'] ?? '', { title: row['title'], text: row['text'] }),
      );
      index.apply({ version: 1, puts, deletes: [] });
      const judged = judgements(`${path}/qrels.tsv`);
      const queries = rows(`${path}/queries.jsonl`).filter((query) => judged.has(query['_id'] ?? ''));
      const mean = (settings: Partial<SearchQuery>) => {
        const gains = queries.map((query) => {
          const { hits } = index.search(searchFor({ text: query['text'] ?? '', ...settings }));
          const relevant = judged.get(query['_id'] ?? '') ?? new Map();
          return figuresOf(
            hits.map((hit) => hit.id),
            relevant,
          ).ndcg;
        });
        return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
      };
      const any = mean({ match: 'any', prefix: false, typosMax: 0 });
      expect(any).toBeGreaterThan(bagOfWords);
      const usual = mean({});
      expect(usual).toBeGreaterThan(defaults);
      expect(usual).toBeGreaterThan(mean({ match: 'any' }) - lossMax);
    },
    180_000,
  );
});

function rows(path: string): Record<string, string>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
}

/** Relevant documents by query, each with the grade 1. */
function judgements(path: string): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)) {
    const [query = '', relevant = ''] = line.split('\t');
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(relevant, 1));
  }
  return judged;
}
