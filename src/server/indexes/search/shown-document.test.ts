import { expect, it } from 'vitest';
import { mergeDocuments } from '../write/merge.ts';
import { project } from './shown-document.ts';

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
