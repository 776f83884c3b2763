// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';
import { checkDraft, faultsAt } from './check-draft.ts';

const declared = [
  { name: 'title', type: 'string' as const, required: true },
  { name: 'author.born', type: 'number' as const, required: false },
  { name: 'tags', type: 'string' as const, required: false },
];
const check = (text: string, id: string | null = null) => checkDraft(text, { declared, id });
/** What each fault says, and of which part of the text. */
const said = (text: string, id: string | null = null) =>
  check(text, id).faults.map(({ message, from, to }) => [message, text.slice(from, to)]);

describe('checkDraft', () => {
  it('reads what is good', () => {
    const text = '{"title": "Solaris", "author": {"born": 1921}, "tags": ["a", null]}';
    expect(check(text)).toEqual({ document: JSON.parse(text), faults: [] });
  });

  it.each([
    ['{"title": "a",}', 'This is not JSON at “}”', 14],
    ['{"title": "a" "b": 1}', 'A comma is missing before “"”', 14],
    ['{"title": nul}', 'This is not JSON at “n”', 10],
    ['{"title": "a"', 'The JSON ends too early', 13],
    ['', 'A document is a JSON object: {…}', 0],
    ['[1]', 'A document is a JSON object: {…}', 0],
    ['"text"', 'A document is a JSON object: {…}', 0],
  ])('says where %s is no document', (text, message, from) => {
    expect(check(text)).toEqual({ document: null, faults: [expect.objectContaining({ message, from })] });
  });

  it('says what is not as declared, at its value', () => {
    const text = '{"title": null, "author": [{"born": 1921}, {"born": "1921"}], "tags": ["a", 2]}';
    expect(said(text)).toEqual([
      ['title is required', 'null'],
      ['author.born must be a number, or a list of these', '1921'],
      ['tags must be a string, or a list of these', '["a", 2]'],
    ]);
    expect(said('{"tags": "a"}')).toEqual([['title is required', '{']]);
  });

  it('an id cannot be changed, and may be left out', () => {
    expect(said('{"title": "a", "id": "2"}', '1')).toEqual([['id cannot be changed: it is "1"', '"2"']]);
    expect(said('{"title": "a", "id": 1}', '1')).toEqual([]);
    expect(said('{"title": "a"}', '1')).toEqual([]);
  });
});

it('what the server says stands where it is about', () => {
  const text = '{"a": {"b.c": [1, {"d": 2}]}, "e\\u0301": 3}';
  const at = (path: string) => {
    const [fault] = faultsAt(text, [{ path, message: 'is odd' }]);
    return text.slice(fault?.from, fault?.to);
  };
  expect(at('a.b.c.1.d')).toBe('2');
  expect(at('a.b.c.d')).toBe('2');
  expect(at('a.b.c.0')).toBe('1');
  expect(at('a.b.c')).toBe('[1, {"d": 2}]');
  expect(at('e\u0301')).toBe('3');
  expect(at('nowhere')).toBe('{');
});

it('what changed is told by field, whatever the order', () => {
  const before = { id: '1', a: { x: [1, { y: null }], z: 0 }, b: 1, c: true };
  expect(changedFields(before, { c: true, b: 1, a: { z: 0, x: [1, { y: null }] }, id: '1' })).toEqual([]);
  expect(changedFields(before, { id: '1', a: { x: [1, { y: 0 }], z: 0 }, b: [1], d: null })).toEqual([
    { field: 'a', kind: 'changed' },
    { field: 'b', kind: 'changed' },
    { field: 'c', kind: 'removed' },
    { field: 'd', kind: 'added' },
  ]);
});
