import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { mergeDocuments } from '../write/merge.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { project, shownDocument } from './shown-document.ts';

const document = { id: 'a', title: 't', deep: { x: 1, y: { z: 2, w: 3 } }, 'dotted.name': 4 };

it("shows the included fields in the document's order, always with the id", () => {
  expect(project(document, ['deep.y.z', 'title'], undefined)).toEqual({
    id: 'a',
    title: 't',
    deep: { y: { z: 2 } },
  });
  expect(Object.keys(project(document, ['deep', 'title'], undefined))).toEqual(['title', 'deep', 'id']);
  expect(project(document, ['nothing'], undefined)).toEqual({ id: 'a' });
  expect(project(document, ['*'], undefined)).toEqual(document);
  expect(project(document, [], undefined)).toEqual(document);
});

it('leaves out the excluded fields, at any depth, but never the id', () => {
  expect(project(document, undefined, ['id', 'deep.y', 'dotted.name', 'no.such'])).toEqual({
    id: 'a',
    title: 't',
    deep: { x: 1 },
  });
  expect(project(document, ['deep'], ['deep.x'])).toEqual({ id: 'a', deep: { y: { z: 2, w: 3 } } });
  expect(document.deep.x).toBe(1);
});

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Path by path. */
function plainProject(whole: Fields, include: string[], exclude: string[]): Fields {
  const pick = (value: Fields, prefix: string): Fields =>
    Object.fromEntries(
      Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
        const path = prefix + key;
        if (include.includes(path)) return [[key, item]];
        const isBegun = include.some((other) => other.startsWith(`${path}.`));
        return isFields(item) && isBegun ? [[key, pick(item, `${path}.`)]] : [];
      }),
    );
  const omit = (value: Fields, path: string): Fields => {
    const { [path]: own, ...rest } = value;
    if (own !== undefined) return rest;
    const [head = '', ...others] = path.split('.');
    const inner = value[head];
    return isFields(inner) && others.length > 0 ? { ...value, [head]: omit(inner, others.join('.')) } : value;
  };
  const shown = include.length === 0 ? whole : pick(whole, '');
  return { ...exclude.reduce(omit, shown), id: whole['id'] };
}

it('shows what a look at path after path would', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c');
  const { fields } = fc.letrec((tie) => ({
    fields: fc.dictionary(name, fc.oneof({ depthSize: 'medium' }, fc.nat(3), tie('fields')), { maxKeys: 4 }),
  }));
  const paths = fc.uniqueArray(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.')),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(fields, paths, paths, (inner, include, exclude) => {
      const whole = { id: 'x', ...(inner as Fields) };
      const shown = project(whole as typeof document, include, exclude);
      expect(JSON.stringify(shown)).toBe(JSON.stringify(plainProject(whole, include, exclude)));
    }),
    { numRuns: 1_000 },
  );
});

it('writes a part that is one large object piece by piece', () => {
  const inner = Object.fromEntries(
    Array.from({ length: 900 }, (_, i) => [`k${i}`, Array.from({ length: 200 }, () => [])]),
  );
  const source = Buffer.from(JSON.stringify({ id: 'a', deep: { deeper: inner }, left: 'out' }));
  const { stringify } = JSON;
  let longest = 0;
  vi.spyOn(JSON, 'stringify').mockImplementation((value) => {
    const text = stringify(value);
    longest = Math.max(longest, text.length);
    return text;
  });
  const hit = { source, sourceBytes: source.byteLength };
  const shown = runSteps(shownDocument(hit, { include_fields: ['deep'] }, new AnswerBytes(10_000_000)));
  vi.restoreAllMocks();
  expect(JSON.parse(Buffer.from(shown.bytes).toString())).toEqual({ id: 'a', deep: { deeper: inner } });
  expect(longest).toBeLessThan(70_000);
});

it('merges objects at every depth and replaces everything else', () => {
  const change = { id: 'b', deep: { y: { z: [9] } }, title: null, added: { a: 1 } };
  expect(mergeDocuments({ ...document, list: [1, 2] }, { ...change, list: [3] })).toEqual({
    ...document,
    title: null,
    list: [3],
    deep: { x: 1, y: { z: [9], w: 3 } },
    added: { a: 1 },
  });
});

it('reads and writes a large document piece by piece', () => {
  const large = {
    id: 'a',
    numbers: Array.from({ length: 300_000 }, (_, i) => i),
    rows: Array.from({ length: 30_000 }, (_, i) => ({ i, text: `row ${i}` })),
    ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field ${i}`, 'x'.repeat(5_000)])),
    left: 'out',
  };
  const source = Buffer.from(JSON.stringify(large));
  const { parse, stringify } = JSON;
  let longest = 0;
  const noting = (text: string) => {
    longest = Math.max(longest, text.length);
    return text;
  };
  vi.spyOn(JSON, 'parse').mockImplementation((text) => parse(noting(text)));
  vi.spyOn(JSON, 'stringify').mockImplementation((value) => noting(stringify(value)));
  const hit = { source, sourceBytes: source.byteLength };
  const steps = shownDocument(hit, { exclude_fields: ['left'] }, new AnswerBytes(10_000_000));
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  vi.restoreAllMocks();
  const { left: _, ...shown } = large;
  expect(Buffer.from(step.value.bytes).toString()).toBe(JSON.stringify(shown));
  expect(pauses).toBeGreaterThan(150);
  expect(longest).toBeLessThan(100_000);
});
