import { afterEach, expect, it, vi } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { Bitset } from '../bits/bitset.ts';
import { ColumnStore } from '../query/columns/column-store.ts';
import { fuse } from '../query/fuse.ts';
import { KeywordSide } from '../query/sides/keyword-side.ts';
import { sortOrdinals } from '../query/sort/sort-ordinals.ts';
import { runSteps, type Steps } from '../steps.ts';
import { fillSteps } from './fill-steps.ts';
import { SearchScratch } from './search-scratch.ts';

/** An index of so many documents, nearly all of which are gone. */
const capacity = 3_000_000;
const filledMax = 100_000;

/** The most elements that are filled between two pauses. */
function mostFilled<Result>(steps: () => Steps<Result>): number {
  let most = 0;
  let filled = 0;
  for (const kind of [Uint8Array, Int32Array, Float64Array]) {
    const { fill } = kind.prototype;
    vi.spyOn<{ fill: (...given: number[]) => object }, 'fill'>(kind.prototype, 'fill').mockImplementation(
      function (this: object, value = 0, from = 0, to = lengthOf(this)) {
        filled += to - from;
        return Reflect.apply(fill, this, [value, from, to]);
      },
    );
  }
  const all = steps();
  for (let step = all.next(); ; step = all.next()) {
    most = Math.max(most, filled);
    filled = 0;
    if (step.done) return most;
  }
}

const lengthOf = (array: object) => ('length' in array ? Number(array.length) : 0);

afterEach(() => {
  vi.restoreAllMocks();
});

it('fills all of an array, whatever its length', () => {
  for (const length of [0, 1, 32_768, 100_001]) {
    const array = runSteps(fillSteps(new Int32Array(length), 7));
    expect(array.every((value) => value === 7)).toBe(true);
  }
});

it('fills a part at a time what a search has for each document', () => {
  const scratch = new SearchScratch();
  const isBefore = (a: number, b: number) => a < b;
  const ranking = toRanking();
  const some = new Bitset(capacity);
  some.add(0);
  const many = new Bitset(0).fill(150_000);
  const text = new KeywordSide(many, null, isBefore);
  const sides = { matched: many, text, neighbours: some, vector: null };
  const fusion = {
    alpha: 0.5,
    vectorTrust: 1,
    k: 10,
    fusion: 'rrf' as const,
    ranking,
    isBefore,
    capacity,
    scratch,
  };
  const work: Record<string, () => Steps<unknown>> = {
    ranks: () => fuse(sides, fusion),
  };
  for (const [name, steps] of Object.entries(work)) {
    const most = mostFilled(steps);
    expect(most, name).toBeGreaterThan(0);
    expect(most, name).toBeLessThan(filledMax);
    vi.restoreAllMocks();
  }
});

it('fills a part at a time what an order has for each document', () => {
  const ordinals = new Int32Array(200_000);
  const steps = sortOrdinals(ordinals, [{ field: '_text_match', descending: true }], {
    columns: new ColumnStore([]),
    scoreOf: () => 1,
    isBefore: () => false,
  });
  expect(mostFilled(() => steps)).toBeLessThan(filledMax);
});
