import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../../scripts/assemble-wasm.mjs';
import { checkKernels } from './check-kernels.ts';
import { kernelBytes } from './kernel-bytes.ts';
import { createKernels, type Kernels } from './kernels.ts';

const folder = 'src/server/embeddings/transformer';

describe('the kernels', () => {
  it('are the bytes of their text', async () => {
    const text = await readFile(`${folder}/kernels.wat`, 'utf8');
    expect(Buffer.from(assembleWasm(text)).toString('base64')).toBe(kernelBytes);
  });

  it('compute what the plain ones do, in every shape', () => {
    const eights = fc.integer({ min: 1, max: 24 }).map((count) => 8 * count);
    fc.assert(
      fc.property(
        fc.record({
          rows: fc.integer({ min: 1, max: 14 }),
          inputs: eights,
          outputs: eights,
          seed: fc.integer(),
        }),
        (shape) => checkKernels(createKernels, shape),
      ),
      { numRuns: 40 },
    );
  });

  const faults: { [name in keyof Kernels]: (kernels: Kernels) => Partial<Kernels> } = {
    quantise: (kernels) => ({
      quantise: (input, rows, ...rest) => kernels.quantise(input, rows - 1, ...rest),
    }),
    multiply: (kernels) => ({
      multiply: (input, scales, rows, ...rest) => kernels.multiply(input, scales + 4, rows, ...rest),
    }),
    attend: (kernels) => ({
      attend: (queries, keys, values, stride, rows, ...rest) =>
        kernels.attend(queries, keys, values, stride, rows - 1, ...rest),
    }),
    gelu: (kernels) => ({ gelu: (at, bytes) => kernels.gelu(at, bytes - 16) }),
    normalise: (kernels) => ({
      normalise: (input, _added, ...rest) => kernels.normalise(input, input, ...rest),
    }),
    project: (kernels) => ({
      project: (input, columns, ...rest) => kernels.project(input, columns - 8, ...rest),
    }),
  };
  it.each(Object.entries(faults))('are refused when "%s" computes something else', (name, fault) => {
    const create = (memory: Parameters<typeof createKernels>[0]) => {
      const kernels = createKernels(memory);
      return { ...kernels, ...fault(kernels) };
    };
    expect(() => checkKernels(create)).toThrow(`"${name}"`);
  });
});

describe('assembleWasm', () => {
  const body = (code: string) => `(module (import "a" "b" (memory 1 1 shared)) (func $f ${code}))`;

  it.each([
    ['(i32.popcnt)', 'i32.popcnt is not known'],
    ['(local.get $nowhere)', '$nowhere is not known'],
    ['(loop $a (br_if $b (i32.const 1)))', '$b is not known'],
    ['(param $a i32) (local $a i32)', 'two locals of one name'],
  ])('refuses %s', (code, message) => {
    expect(() => assembleWasm(body(code))).toThrow(message);
  });

  it.each(['(module', '(module))', '(func $f)'])('refuses %s, which is no module', (text) => {
    expect(() => assembleWasm(text)).toThrow(/parenthesis|module/);
  });
});
