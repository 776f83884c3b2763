import { describe, expect, it } from 'vitest';
import { foundMarks } from './found-marks.ts';

const document = {
  id: 'a',
  title: 'A manual',
  about: { text: 'First this. Then that.' },
  notes: ['One note.', 'Two notes. Three notes.'],
};
const passage = { field: 'about.text', start: 12, end: 22 };

describe('what meaning has found in a document', () => {
  it('is its passage, where it has several', () => {
    expect(foundMarks(document, { document, passage }, { field: 'title', text: 'A manual' })).toEqual([
      passage,
    ]);
  });

  it('is else the sentence nearest to the words, also in a list', () => {
    expect(foundMarks(document, { document }, { field: 'notes.1', text: 'Three notes.' })).toEqual([
      { field: 'notes.1', start: 11, end: 23 },
    ]);
    expect(foundMarks(document, { document }, undefined)).toEqual([]);
  });

  it('is nothing where the text is another by now', () => {
    const changed = { ...document, about: { text: 'Now this.' }, notes: 'none' };
    expect(foundMarks(changed, { document, passage }, undefined)).toEqual([]);
    expect(foundMarks(changed, { document }, { field: 'notes.1', text: 'Three notes.' })).toEqual([]);
    expect(foundMarks(changed, { document: { id: 'a' }, passage }, undefined)).toEqual([]);
  });
});
