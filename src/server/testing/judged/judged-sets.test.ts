import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lettersOf, TypoMatcher } from '#server/engine/lexical/typos.ts';
import { indexOf } from '#server/engine/testing/fixtures.ts';
import { RandomNumbers } from '#server/random-numbers.ts';
import { type CorpusRow, toDocument } from './judged-set.ts';
import { documentsOf, judgedCollection } from './judged-sets.ts';
import { rareWordSets, titleSets } from './known-items.ts';
import { byLength, measureSet } from './measure-set.ts';
import { productCatalogue } from './product-catalogue.ts';
import { cutShort, misspelt } from './typing-errors.ts';
import { valueSet } from './value-queries.ts';

const word = fc.stringMatching(/^[a-z]{4,12}$/);

describe('typing errors', () => {
  it('are one edit behind the first letter', () => {
    fc.assert(
      fc.property(word, fc.nat(), (typed, seed) => {
        const wrong = misspelt(typed, new RandomNumbers(seed));
        expect(new TypoMatcher(typed, 2).distanceTo(lettersOf(wrong))).toBe(1);
        expect(wrong[0]).toBe(typed[0]);
      }),
    );
  });

  it('leave three letters of a word that is cut, and never all', () => {
    fc.assert(
      fc.property(word, fc.nat(), (typed, seed) => {
        const cut = cutShort(typed, new RandomNumbers(seed));
        expect(typed.startsWith(cut)).toBe(true);
        expect(cut.length).toBeGreaterThanOrEqual(3);
        expect(cut.length).toBeLessThan(typed.length);
      }),
    );
  });
});

describe('made sets', () => {
  const films: CorpusRow[] = [
    { _id: '1', title: 'The Wooden Horse', cast: ['Leo Genn'], genres: ['War'] },
    { _id: '2', title: 'The Wooden Horse', cast: ['Ann Todd', 'Leo Genn'], genres: ['Drama'] },
    { _id: '3', title: 'Ran', cast: ['Leo Genn'], genres: ['War'] },
  ];

  it('are the same for the same seed, and ask for every document with the title', () => {
    const sets = titleSets('titles', films, { count: 10, seed: 1 });
    expect(titleSets('titles', films, { count: 10, seed: 1 })).toEqual(sets);
    expect(titleSets('titles', films, { count: 10, seed: 2 })).not.toEqual(sets);
    const asked = (name: string) => sets.find((set) => set.name === name)?.queries ?? [];
    expect(asked('titles: clean').map(({ text }) => text)).toContain('ran');
    expect(asked('titles: one typo')).toHaveLength(2);
    for (const { grades } of asked('titles: one typo')) expect([...grades.keys()]).toEqual(['1', '2']);
    expect(rareWordSets('titles', films, { count: 10, seed: 1 })[0]?.queries.map(({ text }) => text)).toEqual(
      ['the wooden horse', 'the wooden horse'],
    );
  });

  it('grade a document by how many of the values it has', () => {
    const { queries } = valueSet('films', { rows: films, forms: [['genres', 'cast']], count: 20, seed: 3 });
    const war = queries.find(({ text }) => text === 'war leo genn');
    expect(war?.grades).toEqual(
      new Map([
        ['1', 3],
        ['3', 3],
      ]),
    );
    const drama = queries.find(({ text }) => text === 'drama ann todd');
    expect(drama?.grades).toEqual(new Map([['2', 3]]));
  });

  it('of products ask for what products have', () => {
    const { rows, set } = productCatalogue({ count: 200, queries: 48, seed: 5 });
    expect(rows).toHaveLength(200);
    for (const { text, grades } of set.queries) {
      expect(text.split(' ').length).toBeLessThanOrEqual(5);
      expect(Math.max(...grades.values())).toBe(3);
    }
  });
});

it('queries that come with papers are their titles, to be found by texts alone; of fewer papers those that are answered', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'judged-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = path.join(parent, 'arxiv-100k');
  await mkdir(folder);
  const papers = [1, 2, 3, 4].map((n) => ({ _id: `${n}`, title: `three words ${n}`, text: `Text ${n}`, n }));
  const lines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await writeFile(path.join(folder, 'corpus.jsonl'), lines(papers));
  const queries = papers.map(({ _id, title }) => ({ _id: `q${_id}`, text: title }));
  await writeFile(path.join(folder, 'queries.jsonl'), lines(queries));
  const judged = papers.map(({ _id }) => `q${_id}\t${_id}\t1\n`).join('');
  await writeFile(path.join(folder, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${judged}`);
  const whole = judgedCollection(folder);
  expect(whole.sets.map(({ queries }) => queries.length)).toEqual([4]);
  expect(JSON.parse(documentsOf(whole)[0]?.source ?? '')).toEqual({ id: '1', text: 'Text 1' });
  const half = judgedCollection(folder, { documentsMax: 2 });
  expect(half.rows.map(({ _id }) => _id)).toEqual(['1', '3']);
  expect(half.sets[0]?.queries.map(({ id }) => id)).toEqual(['q1', 'q3']);
  const made = judgedCollection(folder, { isMade: true });
  expect(made.sets[0]?.name).toBe('papers: three words, clean');
  expect(Object.keys(JSON.parse(documentsOf(made)[0]?.source ?? ''))).toEqual(['id', 'title', 'text']);
});

it('figures are those of the lists that are found', () => {
  const rows: CorpusRow[] = ['red fox', 'red dog', 'cat'].map((title, i) => ({ _id: `${i}`, title }));
  const queries = [
    { id: 'a', text: 'red fox', grades: new Map([['0', 1]]) },
    { id: 'b', text: 'dog', grades: new Map([['2', 1]]) },
  ];
  const index = indexOf(rows.map(toDocument));
  const figures = measureSet(index, { queries }, () => ({ match: 'any', typosMax: 0 }));
  expect(figures).toEqual({
    queries: 2,
    ndcg: 0.5,
    recall: 0.5,
    mrr: 0.5,
    first: 0.5,
    success: 0.5,
    found: 2,
  });
  expect(byLength({ name: 'x', queries }).map(({ name }) => name)).toEqual(['x, 1 words', 'x, 2 words']);
});
