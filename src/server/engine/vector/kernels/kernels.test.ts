import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { codeShapeOf } from './code-shape.ts';
import { fixedMemory, kernelMemory } from './load-kernels.ts';
import { trialBytes, trialOf } from './trial.ts';

const dimension = fc.oneof(
  fc.integer({ min: 1, max: 130 }),
  fc.constantFrom(256, 384, 768, 1_000, 1_536, 3_968, 4_096),
);

describe('the kernels', () => {
  it('are assembled for any number of components, and do what the scalar ones do', () => {
    fc.assert(
      fc.property(dimension, (components) => {
        const shape = codeShapeOf(components);
        const bytes = trialBytes(shape);
        const memory = kernelMemory(shape, { bytes, most: bytes });
        expect(memory.canGrow).toBe(true);
        expect(trialOf(memory, shape)).toEqual(trialOf(fixedMemory(shape, bytes), shape));
      }),
      { numRuns: 40 },
    );
  });

  it('find what a plain count finds', () => {
    const shape = codeShapeOf(8);
    const codes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(
        codes,
        fc.nat(255),
        fc.nat(8),
        fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }),
        (rows, query, most, passes) => {
          const memory = kernelMemory(shape, { bytes: 65_536, most: 65_536 });
          const all = new Uint8Array(memory.buffer);
          for (const [row, code] of rows.entries()) all[row * shape.bitStride] = code;
          const [mask, at, out] = [4_096, 8_192, 16_384];
          for (const [row, isIn] of passes.entries())
            if (isIn) all[mask + (row >>> 3)] = (all[mask + (row >>> 3)] ?? 0) | (1 << (row & 7));
          all[at] = query;
          const end = memory.kernels.scanBits(0, mask, mask + 8, at, most, out, 100);
          const found = [...new Uint32Array(memory.buffer, out, (end - out) / 4)];
          const distances = rows.map(
            (code) => [...(code ^ query).toString(2)].filter((bit) => bit === '1').length,
          );
          const expected = distances.flatMap((distance, row) =>
            passes[row] === true && distance <= most ? [distance * 65_536 + 100 + row] : [],
          );
          expect(found).toEqual(expected);
        },
      ),
    );
  });

  it('keep what they hold when their memory grows', () => {
    const memory = kernelMemory(codeShapeOf(4), { bytes: 10, most: 200_000 });
    new Uint8Array(memory.buffer)[9] = 5;
    expect(memory.growTo(150_000)).toBe(true);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(150_000);
    expect(new Uint8Array(memory.buffer)[9]).toBe(5);
    expect(memory.growTo(10_000_000)).toBe(false);
  });

  it('know no other instruction, local or label', () => {
    const of = (body: string) => () =>
      assemble([{ name: 'f', params: [['a', 'i32']], result: 'i32', locals: [], body }]);
    expect(of('local.get $a')).not.toThrow();
    expect(of('local.get $b')).toThrow(SyntaxError);
    expect(of('i32.rotl')).toThrow(SyntaxError);
    expect(of('br $out')).toThrow(SyntaxError);
  });
});
