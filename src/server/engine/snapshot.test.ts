import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteStream, decodeSnapshot, gatherSnapshot } from './snapshot.ts';
import { runSteps } from './steps.ts';
import { document, fromSnapshot, idsFound, indexOf, smallSettings, snapshotOf } from './testing/fixtures.ts';
import { randomDocument, randomIndex, randomSearch } from './testing/random-searches.ts';
import { runs } from './testing/runs.ts';

const documents = Array.from({ length: 20 }, (_, i) =>
  document(`d${i}`, { title: `word${i} common`, price: i, tags: ['a', `t${i % 3}`] }, [[i, 1]]),
);
const snapshot = snapshotOf(indexOf(documents));
const header = (given: object) =>
  new Map([...snapshot, ['header', new TextEncoder().encode(JSON.stringify(given))]]);

describe('snapshots', () => {
  it('open as they were written, wherever they lie in memory', () => {
    const shifted = Array.from(snapshot, ([name, bytes]): [string, Uint8Array] => {
      const memory = new Uint8Array(bytes.length + 3);
      memory.set(bytes, 3);
      return [name, memory.subarray(3)];
    });
    const decoded = fromSnapshot(new Map(shifted), smallSettings);
    if ('refused' in decoded) throw new Error(decoded.refused);
    expect(idsFound(decoded.index, { text: 'word3' })).toEqual(['d3']);
  });

  it('are equal bytes for equal histories', () => {
    expect(snapshotOf(indexOf(documents))).toEqual(snapshot);
  });

  it('are the same bytes though the index is searched while they are copied', () => {
    fc.assert(
      fc.property(
        fc.array(randomDocument, { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 3 }),
        fc.array(randomSearch, { minLength: 3, maxLength: 6 }),
        (made, gone, searches) => {
          const expected = snapshotOf(randomIndex(made, gone));
          const index = randomIndex(made, gone);
          let asked = 0;
          for (const [name, section] of runSteps(gatherSnapshot(index))) {
            const parts: Uint8Array[] = [];
            for (let from = 0; from < section.length; from += 512) {
              for (const query of searches.slice(asked++ % searches.length)) index.search(query);
              parts.push(runSteps(section.copy(from, 512)));
            }
            expect(Buffer.concat(parts).equals(expected.get(name) ?? Buffer.of()), name).toBe(true);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are decoded as their bytes arrive, in parts of any lengths, and what has arrived is needed once', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(randomDocument, { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 3 }),
        lengths,
        (made, gone, cuts) => {
          const index = randomIndex(made, gone);
          const expected = snapshotOf(index);
          const all = Buffer.concat([...expected.values()]);
          const pieces = Array.from(expected, ([name, { length }]) => ({ name, length }));
          const bytes = new ByteStream();
          const decoding = decodeSnapshot(pieces, bytes, index.settings);
          let step = decoding.next();
          for (let from = 0, i = 0; from < all.length; i += 1) {
            expect([step.done, bytes.isWaiting]).toEqual([false, true]);
            const part = Uint8Array.from(all.subarray(from, from + (cuts[i % cuts.length] ?? 1)));
            from += part.length;
            bytes.add(part);
            while (!step.done && !bytes.isWaiting) step = decoding.next();
            part.fill(0xff);
          }
          if (!step.done || 'refused' in step.value) return expect.fail();
          expect(snapshotOf(step.value.index)).toEqual(expected);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('of other settings or another layout are refused', () => {
    const cases = [
      fromSnapshot(snapshot, { ...smallSettings, metric: 'euclidean' }),
      fromSnapshot(snapshot, { ...smallSettings, dimension: 3 }),
      fromSnapshot(snapshot, { ...smallSettings, fields: [{ name: 'price', type: 'number' }] }),
      fromSnapshot(header({ layout: 1, settings: smallSettings, version: 1 }), smallSettings),
      // Its fields had no points.
      fromSnapshot(header({ layout: 3, settings: smallSettings, version: 1 }), smallSettings),
    ];
    for (const each of cases) expect(each).toHaveProperty('refused');
    expect(cases.slice(3)).toEqual([{ refused: 'layout 1 is unknown' }, { refused: 'layout 3 is unknown' }]);
  });

  it('that lack a piece, or have one that ends early or late, are refused', () => {
    for (const [name, bytes] of snapshot) {
      const without = new Map(snapshot);
      without.delete(name);
      expect(fromSnapshot(without, smallSettings), `without ${name}`).toHaveProperty('refused');
      for (const length of [0, 1, bytes.length - 1, bytes.length + 8]) {
        const piece = new Uint8Array(length);
        piece.set(bytes.subarray(0, length));
        const decoded = fromSnapshot(new Map([...snapshot, [name, piece]]), smallSettings);
        expect(decoded, `${name} of ${length} bytes`).toHaveProperty('refused');
      }
    }
  });
});
