import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { textsAtOnce, textsByField } from './text-fields.ts';
import { type Scalar, walkAtOnce, walkDocument } from './walk-document.ts';

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('x', 'y z', 5, true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'id', 'embedding'), tie('value'), { maxKeys: 4 }),
  ),
}));
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', 'id', 'embedding'), value);
const nested = (depth: number): unknown =>
  depth === 0 ? 'deep' : depth % 3 ? { a: nested(depth - 1) } : [nested(depth - 1)];

test('a walk in one go meets what one with pauses does', () => {
  const check = (given: Record<string, unknown>, wanted: string[] | null) => {
    const isWanted = (name: string) => wanted?.includes(name) ?? true;
    const inSteps: [string, Scalar][] = [];
    runSteps(walkDocument(given, (path, each) => inSteps.push([path, each]), isWanted));
    const atOnce: [string, Scalar][] = [];
    walkAtOnce(given, (path, each) => atOnce.push([path, each]), isWanted);
    expect(atOnce).toEqual(inSteps);
    const paths = wanted && [...wanted, 'a.b', 'c.d.a'];
    expect([...textsAtOnce(given, paths)]).toEqual([...runSteps(textsByField(given, paths))]);
  };
  fc.assert(
    fc.property(
      document,
      fc.constantFrom<(string[] | null)[]>(null, ['a'], ['b', 'c.d'], []),
      (given, wanted) => check(given, wanted),
    ),
    { numRuns: 1_000 },
  );
  for (let depth = 60; depth < 70; depth += 1) check({ a: nested(depth) }, null);
});

test('a large document is walked with pauses', () => {
  const steps = walkDocument({ a: Array.from({ length: 20_000 }, () => ['x']) }, () => undefined);
  let pauses = 0;
  while (!steps.next().done) pauses += 1;
  expect(pauses).toBeGreaterThan(10);
});
