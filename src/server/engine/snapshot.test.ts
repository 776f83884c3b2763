import { describe, expect, it } from 'vitest';
import { document, fromSnapshot, idsFound, indexOf, smallSettings, snapshotOf } from './testing/fixtures.ts';

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
