import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCorpus, readQueries } from '#server/testing/judged/read-beir.ts';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { judgedQuery } from '#shared/judged-query.ts';
import type { Indexes, WritableCollection } from '../../indexes.ts';
import { meansOf } from '../list-figures.ts';

/**
 * How far a comparison of models among some documents lies from that among all: vectors of 64 components that are rotated, beside such as were cut before there was a
 * rotation. With `FIGURES=1` it is written out.
 */
const sets = ['cranfield', 'cacm'];
const pathOf = (name: string) => `${process.env['DATASETS_DIR'] ?? ''}/${name}`;
const isAsked =
  Boolean(process.env['FIGURES']) && sets.every((name) => existsSync(`${pathOf(name)}/corpus.jsonl`));
const { signal } = new AbortController();
let world: IndexesWorld;
let indexes: Indexes;

beforeAll(async () => {
  if (!isAsked) return;
  world = await openIndexesWorld('bundled');
  indexes = world.openIndexes();
});
afterAll(async () => {
  if (isAsked) await world.close();
});

async function filled(name: string): Promise<WritableCollection> {
  const collection = await world.newCollection({ dimension: 64, model: 'builtin' });
  async function* rows() {
    for (const [index, { _id, ...fields }] of readCorpus(pathOf(name)).entries())
      yield { index, text: JSON.stringify({ id: _id, ...fields }) };
  }
  for await (const { success } of indexes.import(collection, { action: 'create', rows: rows() }))
    if (!success) throw new Error('A document is not in');
  return collection;
}

test.skipIf(!isAsked).each(sets)(
  'of few documents of %s figures are higher than of all, and the change between models is told nearly as it is (needs FIGURES and DATASETS_DIR with cranfield and cacm)',
  async (name) => {
    const collection = await filled(name);
    const all = readQueries(pathOf(name)).map(({ text, grades }) => ({ query: judgedQuery(text), grades }));
    for (const judged of [all, all.slice(0, 20)])
      for (const mode of ['vector', 'hybrid'] as const)
        for (const documentsMax of [5_000, 1_000, 600, 300]) {
          const ids = new Set(judged.flatMap(({ grades }) => [...grades.keys()]));
          if (ids.size > documentsMax) continue;
          // An account compares six times a minute; here nobody waits.
          const own = {
            ...collection,
            for: { tenant: `${name} ${judged.length} ${mode} ${documentsMax}`, caller: 'a' },
          };
          const change = { model: 'static', draft: {}, at: new Date(), mode, judged, documentsMax };
          const { compared, among } = await indexes.compareModel(own, change, signal);
          const [before, after] = [
            meansOf(compared.map((each) => each.before)).ndcg,
            meansOf(compared.map((each) => each.after)).ndcg,
          ];
          expect(before).toBeGreaterThan(0);
          const figures = { name, queries: compared.length, mode, documents: among.documents, before, after };
          process.stdout.write(`${JSON.stringify({ ...figures, change: after - before })}\n`);
        }
  },
  3_600_000,
);
