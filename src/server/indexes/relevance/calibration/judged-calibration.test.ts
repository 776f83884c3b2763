import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { readCorpus, readQueries } from '#server/testing/judged/read-beir.ts';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { judgedQuery } from '#shared/judged-query.ts';
import { limits } from '#shared/limits.ts';
import { searchModes } from '#shared/search.ts';
import type { Indexes, WritableCollection } from '../../indexes.ts';
import { applyRules } from '../../rules/apply-rules.ts';
import { noRules } from '../../rules/rules.ts';
import { toSearchQuery } from '../../search/query.ts';
import { isRelevant } from '../list-figures.ts';
import { calibrationError } from './calibration-error.ts';
import { toldHeldOut } from './held-out-error.ts';

/**
 * The error of relevance about queries that the fit has not seen, on judged collections, with all defaults. All that is relevant in them is judged, so that
 * what is not judged is not relevant. Figures repeat exactly. With `FIGURES=1` they are written out, with those of the first ten hits of each query alone. All
 * four sets are looked at then and in `npm run test:long`, the smallest one always.
 */
const folder = process.env['DATASETS_DIR'];
const isWhole = Boolean(process.env['FIGURES'] || process.env['LONG_TESTS']);
const sets = isWhole ? ['cranfield', 'medline', 'cisi', 'cacm'] : ['medline'];
const errorMax = 0.035;

describe.each(sets)('on %s', (name) => {
  const path = `${folder ?? ''}/${name}`;
  const isHere = folder !== undefined && existsSync(`${path}/corpus.jsonl`);
  const { signal } = new AbortController();
  let world: IndexesWorld;
  let indexes: Indexes;
  let collection: WritableCollection;
  const judged = isHere
    ? readQueries(path).map(({ text, grades }) => ({ query: judgedQuery(text), grades }))
    : [];

  beforeAll(async () => {
    if (!isHere) return;
    world = await openIndexesWorld('bundled');
    indexes = world.openIndexes();
    collection = await world.newCollection();
    async function* rows() {
      for (const [index, { _id, ...fields }] of readCorpus(path).entries())
        yield { index, text: JSON.stringify({ id: _id, ...fields }) };
    }
    for await (const { success } of indexes.import(collection, { action: 'create', rows: rows() }))
      if (!success) throw new Error('A document is not in');
  }, 600_000);
  afterAll(async () => {
    if (isHere) await world.close();
  });

  test.skipIf(!isHere).each(searchModes)(
    `relevance by %s is off by ${errorMax} at most (needs DATASETS_DIR with ${name})`,
    async (mode) => {
      const asked = { mode, judged, unjudged: 'not_relevant' as const };
      const { pairs, relevant, heldOut } = await indexes.calibrate(collection, asked, signal);
      expect(heldOut.calibrationError).toBeLessThanOrEqual(errorMax);
      // Better than to tell the share of all for each.
      const share = relevant / pairs;
      expect(heldOut.brier).toBeLessThan(share * (1 - share));
      if (!process.env['FIGURES']) return;
      const figures = { name, mode, pairs, relevant, ...heldOut, firstTen: await firstTen(mode) };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    },
    600_000,
  );

  /** The error among the first ten hits of each query, their mean relevance as it is told, and which share is relevant. */
  async function firstTen(mode: (typeof searchModes)[number]) {
    const all = await Promise.all(
      judged.map(async ({ query: text, grades }, query) => {
        const given = { query: text, ...(mode === 'vector' && { k: limits.calibrationHits }) };
        const parts = { collection, embedder: world.embedder, tierOf: () => 'static' as const };
        const applied = applyRules(noRules, { mode, given, now: new Date() });
        const search = await toSearchQuery(parts, mode, applied);
        const figures = await indexes.read(collection, {
          call: 'judgedFigures',
          query: search.query,
          judged: [],
          first: limits.calibrationHits,
        });
        return figures.map((own, place) => {
          return { ...own, query, place, isRelevant: isRelevant(grades.get(own.id) ?? 0) };
        });
      }),
    );
    const told = runSteps(toldHeldOut(all.flat()));
    const first = told.filter(({ place }) => place < 10);
    const meanOf = (read: (one: (typeof first)[number]) => number) =>
      first.reduce((sum, one) => sum + read(one), 0) / first.length;
    return {
      error: calibrationError(first),
      told: meanOf(({ relevance }) => relevance),
      relevant: meanOf(({ isRelevant: is }) => Number(is)),
    };
  }
});
