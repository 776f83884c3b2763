import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { fieldValues } from './field-values.ts';

/** By a walk for each path. */
function plainValues(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => plainValues(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === path ? [inner] : []),
    ...(path.startsWith(`${key}.`) ? plainValues(inner, path.slice(key.length + 1)) : []),
  ]);
}

test('the values at many paths are those of a walk for each', () => {
  const name = fc.constantFrom('a', 'b', 'a.b', 'b.a', 'c');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.nat(3),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.uniqueArray(path, { maxLength: 6 }), (document, paths) => {
      const found = runSteps(fieldValues(document, paths));
      expect([...found.keys()]).toEqual(paths);
      for (const each of paths) expect(found.get(each)).toEqual(plainValues(document, each));
    }),
    { numRuns: 1_000 },
  );
});

test('a large list is walked once for all paths, with pauses', () => {
  let looks = 0;
  const item = new Proxy(
    { x: 1 },
    {
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  const list = Array.from({ length: 20_000 }, () => item);
  const steps = fieldValues(
    { list },
    Array.from({ length: 1_000 }, (_, i) => `list.f${i}`),
  );
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  expect(looks).toBe(20_000);
  expect(pauses).toBeGreaterThan(10);
  expect(step.value.get('list.f7')).toEqual([]);
});
