import { expect, it, vi } from 'vitest';
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
  expect(pauses).toBeGreaterThan(300);
  expect(longest).toBeLessThan(100_000);
});
