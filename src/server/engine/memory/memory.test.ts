import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../steps.ts';
import { readerOf, writtenBy } from '../testing/fixtures.ts';
import { compareBytes, Utf8Scratch } from './bytes.ts';
import { BytesList } from './bytes-list.ts';
import { KeyTable } from './key-table.ts';
import { Piece, SectionWriter } from './sections.ts';

describe('BytesList', () => {
  it('gives back what it was given, across chunk borders and after a snapshot', () => {
    const sizes = [0, 1, 1000, 262_143, 2, 600_000, 0, 7, 262_144, 5];
    const elements = sizes.map((size, i) => new Uint8Array(size).fill(i + 1));
    const list = new BytesList();
    for (const element of elements) list.push(element);
    const writer = new SectionWriter();
    list.encode(writer);
    const copy = runSteps(BytesList.decode(readerOf(writtenBy(writer))));
    for (const each of [list, copy]) {
      expect(elements.every((element, i) => compareBytes(each.at(i), element) === 0)).toBe(true);
      each.push(Uint8Array.of(42));
      expect(each.at(elements.length)).toEqual(Uint8Array.of(42));
    }
    expect(list.memoryBytes).toBeGreaterThan(1_000_000);
  });

  it('copies and compares its elements without a view, across chunk borders too', () => {
    const sizes = [0, 3, 3, 262_140, 2, 262_145, 5, 7, 7, 262_144];
    const elements = sizes.map((size, i) => new Uint8Array(size).fill(1 + (i % 3)));
    const list = new BytesList();
    for (const element of elements) list.push(element);
    const target = new Uint8Array(300_000);
    for (const [i, element] of elements.entries()) {
      expect(list.copyTo(target, i)).toBe(element.length);
      expect(compareBytes(target.subarray(0, element.length), element)).toBe(0);
      for (const other of elements) expect(list.isAt(i, other)).toBe(compareBytes(element, other) === 0);
    }
  });

  it('orders its elements by their bytes, across chunk borders too', () => {
    const sizes = [0, 3, 3, 262_140, 2, 262_145, 5, 7, 7];
    const list = new BytesList();
    for (const [i, size] of sizes.entries()) list.push(new Uint8Array(size).fill(1 + (i % 3)));
    for (let a = 0; a < sizes.length; a += 1) {
      for (let b = 0; b < sizes.length; b += 1)
        expect(Math.sign(list.compare(a, b))).toBe(Math.sign(compareBytes(list.at(a), list.at(b))));
    }
  });
});

describe('KeyTable', () => {
  it('finds the newest element of every key, and no other', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), fc.string(), (keys, other) => {
        const list = new BytesList();
        const table = new KeyTable(list);
        const encoder = new TextEncoder();
        for (const key of keys) table.put(list.push(encoder.encode(key)));
        for (const key of [...keys, other])
          expect(table.find(encoder.encode(key))).toBe(keys.lastIndexOf(key));
      }),
    );
  });
});

describe('bytes', () => {
  it('encode as the platform does', () => {
    const scratch = new Utf8Scratch();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(Array.from(scratch.encode(text))).toEqual(Array.from(new TextEncoder().encode(text)));
      }),
    );
  });

  it('are ordered by code points', () => {
    const encoder = new TextEncoder();
    const order = ['', 'A', 'a', 'ab', 'é', '東', '\u{1f3ac}'].map((text) => encoder.encode(text));
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries()) expect(Math.sign(compareBytes(a, b))).toBe(Math.sign(i - j));
  });
});

describe('sections', () => {
  it('keep every text, of any units', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('', '\ud800', 'ÿ', 'Ā', 'x'.repeat(5_000), '€'.repeat(5_000)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const writer = new SectionWriter();
        runSteps(writer.texts(texts));
        const reader = readerOf(writtenBy(writer));
        expect(runSteps(reader.texts())).toEqual(texts);
        reader.end();
      }),
    );
  });

  it('are copied in any parts, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(200), fc.nat(60)), { maxLength: 8 }),
        (lengths, asked) => {
          const writer = new SectionWriter();
          for (const [i, length] of lengths.entries()) writer.bytes(new Uint8Array(length).fill(i + 1));
          const [section = new Piece([], 0)] = writer.finish();
          const all = runSteps(section.copy());
          for (const [from, length] of asked)
            expect(runSteps(section.copy(from, length))).toEqual(all.slice(from, from + length));
        },
      ),
    );
  });

  it('have what has only grown at its former place of its piece', () => {
    const large = Uint8Array.from({ length: 300_000 }, (_, i) => i * 7);
    const piecesOf = (small: number, numbers: number, bytes: number) => {
      const writer = new SectionWriter();
      const list = new BytesList();
      for (let i = 0; i < 3; i += 1) list.push(large);
      list.push(large.subarray(0, bytes));
      writer.array(large.subarray(0, small));
      writer.array(Uint16Array.from({ length: numbers }, (_, i) => i));
      writer.number(1.5);
      list.encode(writer);
      writer.text('end');
      return writtenBy(writer);
    };
    const former = piecesOf(3, 200_000, 100);
    const grown = piecesOf(1_000, 200_003, 200_000);
    expect(former).toHaveLength(3);
    expect(grown).toHaveLength(3);
    // Behind the numbers their count of bytes is to come, and behind the list's last element the text: all before is the same.
    for (const [piece, same] of [
      [1, 400_000],
      [2, 3 * 262_144 + 3 * 8],
    ] as const)
      expect(
        compareBytes(grown[piece]?.subarray(0, same) ?? large, former[piece]?.subarray(0, same) ?? large),
      ).toBe(0);
    const reader = readerOf(grown);
    expect(runSteps(reader.bytes())).toEqual(large.subarray(0, 1_000));
    expect(runSteps(reader.uint16())).toHaveLength(200_003);
    expect(runSteps(reader.number())).toBe(1.5);
    expect(runSteps(BytesList.decode(reader)).lengthAt(3)).toBe(200_000);
    expect(runSteps(reader.text())).toBe('end');
    reader.end();
    for (const pieces of [grown.slice(0, 2), grown.slice(1), [...grown, new Uint8Array(8)]]) {
      const other = readerOf(pieces);
      expect(() => {
        runSteps(other.bytes());
        runSteps(other.uint16());
        runSteps(other.number());
        runSteps(BytesList.decode(other));
        runSteps(other.text());
        other.end();
      }).toThrow(RangeError);
    }
  });

  it('read what was written and nothing beyond it', () => {
    const writer = new SectionWriter();
    writer.number(-1.5);
    writer.text('é');
    writer.array(Uint16Array.of(1, 2, 3));
    const pieces = writtenBy(writer);
    const reader = readerOf(pieces);
    const read = [runSteps(reader.number()), runSteps(reader.text()), Array.from(runSteps(reader.uint16()))];
    expect(read).toEqual([-1.5, 'é', [1, 2, 3]]);
    reader.end();
    expect(() => runSteps(reader.number())).toThrow(RangeError);
    expect(() => readerOf(pieces).end()).toThrow(RangeError);
  });
});
