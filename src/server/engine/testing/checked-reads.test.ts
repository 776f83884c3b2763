import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { checkedReads, readsSoFar } from './checked-reads.ts';

/** What the plugin makes of a function's source, evaluated. */
function checked<T>(source: string): T {
  const { transform } = checkedReads();
  if (typeof transform !== 'function') throw new Error('the plugin has no transform');
  const context: unknown = { parse: parseAst };
  const result = Reflect.apply(transform, context, [
    `const result = ${source};`,
    '/src/server/engine/bits/x.ts',
  ]);
  return new Function(`${result?.code ?? ''}; return result;`)() as T;
}

it('makes a read beyond the end of a typed array a fault, and nothing else', () => {
  const read = checked<(array: ArrayLike<number>, index: number) => number>('(a, i) => a[i] ?? 7');
  expect(read(Uint8Array.of(1, 2), 1)).toBe(2);
  for (const index of [2, -1, 0.5, Number.NaN])
    expect(() => read(Uint8Array.of(1, 2), index)).toThrow(RangeError);
  expect(read([1, 2], 2)).toBe(7);
});

it('sees reads inside of reads', () => {
  const read = checked<(a: Uint8Array, b: Uint8Array) => number>('(a, b) => a[b[0] ?? 0] ?? 0');
  expect(read(Uint8Array.of(5, 6), Uint8Array.of(1))).toBe(6);
  expect(() => read(Uint8Array.of(5), Uint8Array.of(1))).toThrow('read of 1 in an array of 1');
  expect(() => read(Uint8Array.of(5), new Uint8Array(0))).toThrow('read of 0 in an array of 0');
});

it('evaluates once what could be seen to be evaluated twice, and counts each read', () => {
  const sum = checked<(array: ArrayLike<number>) => number[]>(
    '(a) => { let i = 0; return [a[i++] ?? 7, a[i++] ?? 8, a[i] ?? 9, i]; }',
  );
  const before = readsSoFar();
  expect(sum(Uint8Array.of(4, 5, 6))).toEqual([4, 5, 6, 2]);
  expect(readsSoFar() - before).toBe(3);
  expect(sum([])).toEqual([7, 8, 9, 2]);
  expect(() => sum(Uint8Array.of(4))).toThrow('read of 1 in an array of 1');
});

it('is at work in these tests', () => {
  expect(String(new Bitset(0).has)).toContain('missedRead(');
});
