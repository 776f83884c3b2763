import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';
import { document, idsFound, indexOf, smallSettings } from './testing/fixtures.ts';

const documents = Array.from({ length: 20 }, (_, i) =>
  document(`d${i}`, { title: `word${i} common`, price: i, tags: ['a', `t${i % 3}`] }, [[i, 1]]),
);
const bytes = encodeSnapshot(indexOf(documents), 7);
const decode = (from: Uint8Array) => decodeSnapshot(from, 7, smallSettings);

describe('snapshots', () => {
  it('open as they were written, wherever they lie in memory', () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const decoded = decode(shifted.subarray(3));
    if ('refused' in decoded) throw new Error(decoded.refused);
    expect(idsFound(decoded.index, { text: 'word3' })).toEqual(['d3']);
  });

  it('are equal bytes for equal histories', () => {
    expect(encodeSnapshot(indexOf(documents), 7)).toEqual(bytes);
  });

  it('of another collection, other settings or another format are refused', () => {
    const cases = [
      decodeSnapshot(bytes, 8, smallSettings),
      decodeSnapshot(bytes, 7, { ...smallSettings, metric: 'euclidean' }),
      decodeSnapshot(bytes, 7, { ...smallSettings, dimension: 3 }),
      decodeSnapshot(bytes, 7, { ...smallSettings, fields: [{ name: 'price', type: 'number' }] }),
      decode(Uint8Array.from(bytes, (byte, i) => (i === 8 ? byte + 1 : byte))),
    ];
    for (const each of cases) expect(each).toHaveProperty('refused');
    expect(cases[4]).toEqual({ refused: 'format 3 is unknown' });
  });

  it('cut anywhere are refused', () => {
    for (let length = 0; length < bytes.length; length += length < 600 ? 1 : 97)
      expect(decode(bytes.subarray(0, length)), `cut at ${length}`).toHaveProperty('refused');
    expect(decode(bytes.subarray(0, bytes.length - 1))).toHaveProperty('refused');
  });

  it('with a byte more are refused', () => {
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(decode(longer)).toEqual({ refused: 'there is more than it says' });
  });

  it('with any one bit changed are refused', () => {
    for (let i = 0; i < bytes.length; i += i < 600 ? 1 : 13) {
      const flipped = bytes.slice();
      flipped[i] = (flipped[i] ?? 0) ^ (1 << (i % 8));
      expect(decode(flipped), `bit of byte ${i}`).toHaveProperty('refused');
    }
  });

  it('that are something else are refused', () => {
    for (const other of ['', '{}', 'VECTORA\n', 'x'.repeat(1000)])
      expect(decode(new TextEncoder().encode(other))).toHaveProperty('refused');
  });
});
