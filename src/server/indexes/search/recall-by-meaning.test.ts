import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { StaticEmbedder } from '#server/embeddings/static-embedder.ts';
import { loadStaticTable } from '#server/embeddings/static-table.ts';
import { SearchIndex } from '#server/engine/search-index.ts';
import { plainQuery } from '#server/indexes/search/query.ts';
import { demoFilms } from '#server/testing/demo-films.ts';

/** Of the ten nearest, how many a search finds of those that a comparison of all finds: vectors of real texts by the built-in table, every filter by chance. */
const recallMin = 0.99;
const shares = [1, 0.5, 0.1, 0.01, 0.001, 0.0001];
const questions = 50;
const dimension = 384;

interface Text {
  title: string;
  text: string;
}

let embedder: StaticEmbedder;
beforeAll(async () => {
  embedder = new StaticEmbedder(await loadStaticTable('models/static-embeddings'));
});

test('the ten nearest of the sample’s films are found at every filter', () => {
  const films = demoFilms({ oneOf: 1 }).split('\n');
  expectRecall(
    films.map((line): Text => {
      const { title, plot } = JSON.parse(line);
      return { title, text: plot };
    }),
  );
});

const papers = `${process.env['DATASETS_DIR'] ?? ''}/arxiv-100k/corpus.jsonl.gz`;
const papersMax = 20_000;

test.skipIf(!existsSync(papers))(
  'the ten nearest of twenty thousand papers are found at every filter (needs DATASETS_DIR with arxiv-100k)',
  () => {
    const lines = gunzipSync(readFileSync(papers)).toString().split('\n', papersMax);
    expectRecall(lines.map((line): Text => JSON.parse(line)));
  },
);

function expectRecall(texts: Text[]): void {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  const puts = texts.map(({ title, text }, i) => {
    const vectors = new Float32Array(dimension);
    embedder.embedDocument({ title, text }, vectors);
    // A prime step: neighbours in the file are none by their places.
    const place = (i * 7_919) % texts.length;
    return {
      id: String(i),
      source: JSON.stringify({ id: String(i), place }),
      vectors,
      spans: Int32Array.of(-1, 0, 0),
    };
  });
  index.apply({ version: 1, puts, deletes: [] });
  expect(index.stats().scan).not.toBe('exact');
  const step = Math.floor(texts.length / questions);
  for (const share of shares) {
    const passing = Math.ceil(share * texts.length);
    let [found, all] = [0, 0];
    for (let i = 0; i < questions; i += 1) {
      const vector = embedder.embedQuery(texts[i * step]?.title ?? '', dimension);
      const idsOf = (isExact: boolean) =>
        index
          .search(plainQuery(`place:<${passing}`, { mode: 'vector', vector, isExact }))
          .hits.map(({ id }) => id);
      const exact = idsOf(true);
      const ids = new Set(idsOf(false));
      found += exact.filter((id) => ids.has(id)).length;
      all += exact.length;
    }
    expect(all, `${share}`).toBe(questions * Math.min(10, passing));
    expect(found / all, `of ${share}`).toBeGreaterThanOrEqual(recallMin);
  }
}
