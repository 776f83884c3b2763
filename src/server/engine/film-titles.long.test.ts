import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { documentsOf, judgedCollection } from '#server/testing/judged/judged-sets.ts';
import { measureSet } from '#server/testing/judged/measure-set.ts';
import { SearchIndex } from './search-index.ts';
import { smallSettings } from './testing/fixtures.ts';

const folder = `${process.env['DATASETS_DIR'] ?? ''}/wiki-movies`;
const isHere = existsSync(`${folder}/corpus.jsonl.gz`);

/** How often a film is among the first ten for its title as it is typed. They repeat exactly, so the floors are what is reached. */
const floors = {
  'titles: clean': 1,
  'titles: one typo': 0.991,
  'titles: two typos': 0.975,
  'titles: two in one word': 0.866,
  'titles: last word cut': 0.949,
  'titles: four letters': 0.961,
};

it.skipIf(!isHere)(
  'films are found by their titles, however they are typed (needs DATASETS_DIR with wiki-movies)',
  () => {
    const collection = judgedCollection(folder, {});
    const index = SearchIndex.create(smallSettings);
    const documents = [...documentsOf(collection)];
    for (let from = 0; from < documents.length; from += 1_000)
      index.apply({ version: from + 1, puts: documents.slice(from, from + 1_000), deletes: [] });
    const asked = collection.sets.filter(({ name }) => name in floors);
    const reached = asked.map((set) => [
      set.name,
      measureSet(index, set, () => ({ ranking: toRanking({}) })).success,
    ]);
    expect(reached.map(([name]) => name)).toEqual(Object.keys(floors));
    for (const [name, floor] of Object.entries(floors))
      expect(Object.fromEntries(reached)[name], name).toBeGreaterThanOrEqual(floor);
  },
  600_000,
);
