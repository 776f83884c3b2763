import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SectionWriter } from '../memory/sections.ts';
import { runSteps } from '../steps.ts';
import { readerOf, writtenBy } from '../testing/fixtures.ts';
import { PostingCursor, visitBlocks } from './posting-cursor.ts';
import { fieldOf, frequencyOf, makePart } from './posting-forms.ts';
import { blockPostings, ordinalsMax, Postings } from './postings.ts';

/** Words of a document; a dozen lengths. */
const lengthAt = (ordinal: number) => 3 + ((ordinal * 7) % 12);
const lengths = { of: lengthAt };

interface Posting {
  ordinal: number;
  /** Of field and frequency. */
  parts: [number, number][];
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
);
const part = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constantFrom(4_095, 77) }),
  fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4, max: 300 }) },
  ),
);
const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 4, selector: ([field]) => field });
const list = fc.array(fc.tuple(gap, parts), { maxLength: 700 }).map((steps) => {
  let ordinal = -1;
  return steps.map(([more, own]): Posting => {
    ordinal += more;
    return { ordinal, parts: own.toSorted(([a], [b]) => a - b) };
  });
});

function postingsOf(lists: Posting[][]): Postings {
  const postings = new Postings(lengths);
  const all = lists.flatMap((own, term) => own.map((posting) => ({ term, ...posting })));
  for (const { term, ordinal, parts: own } of all.toSorted((a, b) => a.ordinal - b.ordinal)) {
    const form = Uint32Array.from(own, ([field, frequency]) => makePart(field, frequency));
    postings.add(term, ordinal, postings.forms.numberOf(form, form.length));
  }
  return postings;
}

function read(postings: Postings, term: number): Posting[] {
  const found: Posting[] = [];
  const { forms } = postings;
  runSteps(
    visitBlocks(postings, postings.listOf(term), (block) => {
      for (let i = 0; i < block.count; i += 1) {
        const form = block.forms[i] ?? 0;
        const own: [number, number][] = [];
        for (let place = forms.start(form); place < forms.end(form); place += 1)
          own.push([fieldOf(forms.partAt(place)), frequencyOf(forms.partAt(place))]);
        found.push({ ordinal: block.ordinals[i] ?? 0, parts: own });
      }
    }),
  );
  return found;
}

const capped = (own: Posting[]): Posting[] =>
  own.map(({ ordinal, parts: all }) => ({
    ordinal,
    parts: all.map(([field, frequency]) => [field, Math.min(frequency, 255)]),
  }));

function decoded(postings: Postings): Postings {
  const writer = new SectionWriter();
  runSteps(postings.encode(writer));
  const reader = readerOf(writtenBy(writer));
  const again = runSteps(Postings.decode(reader, lengths));
  reader.end();
  return again;
}

describe('posting lists', () => {
  it('are read as they were added, decoded too, however appends are mixed', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), list, (lists, more) => {
        const postings = postingsOf(lists);
        const again = decoded(postings);
        for (const [term, own] of lists.entries()) {
          expect(read(postings, term)).toEqual(capped(own));
          expect(read(again, term)).toEqual(capped(own));
        }
        // A decoded list grows as any other.
        const first = lists[0] ?? [];
        const from = (first.at(-1)?.ordinal ?? -1) + 1;
        const form = again.forms.numberOf(Uint32Array.of(makePart(0, 1)), 1);
        for (const { ordinal } of more) again.add(0, from + ordinal, form);
        const added = more.map(({ ordinal }): Posting => ({ ordinal: from + ordinal, parts: [[0, 1]] }));
        expect(read(again, 0)).toEqual([...capped(first), ...added]);
      }),
      { numRuns: 60 },
    );
  });

  it('lead from any block to the first posting that is not before an ordinal', () => {
    fc.assert(
      fc.property(list, fc.array(fc.nat(200_000), { maxLength: 30 }), (own, wanted) => {
        const postings = postingsOf([own]);
        const cursor = new PostingCursor(postings).open(postings.listOf(0));
        for (const ordinal of wanted.toSorted((a, b) => a - b)) {
          const expected = capped(own).find((posting) => posting.ordinal >= ordinal);
          expect(cursor.advance(ordinal)).toBe(expected !== undefined);
          if (expected === undefined) break;
          expect(cursor.ordinal).toBe(expected.ordinal);
          const total = expected.parts.reduce((sum, [, frequency]) => sum + frequency, 0);
          expect(postings.forms.total(cursor.form)).toBe(total);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('bound what a block can add to a score', () => {
    fc.assert(
      fc.property(list, (own) => {
        const postings = postingsOf([own]);
        const all = postings.listOf(0);
        for (let block = 0; all >= 0 && block < postings.blocksOf(all) - 1; block += 1) {
          const there = capped(own).slice(block * blockPostings, (block + 1) * blockPostings);
          const totals = there.map(({ parts: each }) =>
            each.reduce((sum, [, frequency]) => sum + frequency, 0),
          );
          expect(postings.frequencyBound(all, block)).toBe(Math.max(...totals));
          expect(postings.lengthBound(all, block)).toBe(
            Math.min(...there.map(({ ordinal }) => lengthAt(ordinal))),
          );
          expect(postings.lastIn(all, block)).toBe(there.at(-1)?.ordinal);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('have what is left and no form that nobody has after a compaction', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(400)), (lists, gone) => {
        const postings = postingsOf(lists);
        const dead = new Set(gone);
        for (const [term, own] of lists.entries())
          for (const { ordinal } of own) if (dead.has(ordinal)) postings.forget(term);
        const capacity = 1 + Math.max(0, ...lists.flatMap((own) => own.map(({ ordinal }) => ordinal)));
        let kept = 0;
        const moved = Int32Array.from({ length: capacity }, (_, ordinal) => {
          if (dead.has(ordinal)) return -1;
          kept += 1;
          return kept - 1;
        });
        const terms = Int32Array.from(lists.keys());
        const compacted = runSteps(postings.compacted(terms, moved, lengths));
        const left = lists.map((own) => capped(own).filter(({ ordinal }) => !dead.has(ordinal)));
        for (const [term, own] of left.entries()) {
          const expected = own.map((each) => ({ ...each, ordinal: moved[each.ordinal] ?? 0 }));
          expect(read(compacted, term)).toEqual(expected);
          const all = compacted.listOf(term);
          expect(all < 0 ? 0 : compacted.documentsOf(all)).toBe(own.length);
        }
        const forms = new Set(left.flat().map((each) => JSON.stringify(each.parts)));
        expect(compacted.forms.count).toBe(forms.size);
      }),
      { numRuns: 40 },
    );
  });
});

it('counts the living documents that hold a term', () => {
  const postings = new Postings(lengths);
  const form = postings.forms.numberOf(Uint32Array.of(makePart(0, 1)), 1);
  postings.add(7, 0, form);
  postings.add(7, 1, form);
  postings.forget(7);
  expect(postings.documentsOf(postings.listOf(7))).toBe(1);
  expect(postings.listOf(8)).toBe(-1);
});

it('takes the largest ordinal and field, and cuts a frequency at 255', () => {
  const postings = postingsOf([[{ ordinal: ordinalsMax - 1, parts: [[4_095, 1_000]] }]]);
  expect(read(postings, 0)).toEqual([{ ordinal: ordinalsMax - 1, parts: [[4_095, 255]] }]);
});

it('takes a byte or two a posting of a word that a tenth of the documents hold', () => {
  const postings = new Postings(lengths);
  const before = postings.memoryBytes;
  for (let i = 0; i < 100_000; i += 1) {
    const form = postings.forms.numberOf(Uint32Array.of(makePart(i % 50 === 0 ? 0 : 1, 1 + (i % 3))), 1);
    postings.add(0, i * 10 + (i % 7), form);
  }
  expect((postings.memoryBytes - before) / 100_000).toBeLessThan(2);
});
