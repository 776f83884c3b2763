import { describe, expect, it } from 'vitest';
import { foundMarks } from './found-marks.ts';

const document = {
  id: 'a',
  title: 'A manual',
  about: { text: 'First this. Then that. It is said twice. Last of all. It is said twice.' },
  notes: ['One note.', 'Two notes. Three notes.'],
  parts: [{ heading: 'None' }, { text: 'Of a part. In a list.' }],
  reports: { 2024: [{ no: 7 }, { text: 'A year. The next.' }] },
  'a.b': { c: 'A dotted name.' },
};
const passage = { field: 'about.text', start: 23, end: 71 };

const sentenceAt = (field: string, start: number, text: string) => ({
  field,
  start,
  end: start + text.length,
  text,
});
const twice = sentenceAt('about.text', 54, 'It is said twice.');
const note = sentenceAt('notes.1', 11, 'Three notes.');
const markOf = ({ field, start, end }: typeof twice) => ({ field, start, end });

describe('what meaning has found in a document', () => {
  it('is the sentence at its place, of which there may be two, with the passage around it', () => {
    expect(foundMarks(document, { document, passage }, twice)).toEqual([
      { ...passage, isAround: true },
      markOf(twice),
    ]);
  });

  it('is the passage as long as no sentence is known', () => {
    expect(foundMarks(document, { document, passage }, undefined)).toEqual([passage]);
  });

  it('is the sentence alone, where there is no passage or it is not of that', () => {
    expect(foundMarks(document, { document }, note)).toEqual([markOf(note)]);
    const first = sentenceAt('about.text', 0, 'First this.');
    expect(foundMarks(document, { document, passage }, first)).toEqual([markOf(first)]);
    expect(foundMarks(document, { document }, undefined)).toEqual([]);
    const dotted = sentenceAt('a.b.c', 0, 'A dotted name.');
    expect(foundMarks(document, { document }, dotted)).toEqual([markOf(dotted)]);
  });

  it('has around it a passage of a list, whose field is named without places', () => {
    const inList = { field: 'parts.text', start: 0, end: 21 };
    const sentence = sentenceAt('parts.1.text', 11, 'In a list.');
    expect(foundMarks(document, { document, passage: inList }, sentence)).toEqual([
      { ...inList, field: 'parts.1.text', isAround: true },
      markOf(sentence),
    ]);
  });

  it('has the passage where a hit tells it, also where the sentence stands in another field', () => {
    const marks = [{ ...passage, isAround: true }, markOf(note)];
    expect(foundMarks(document, { document, passage }, note)).toEqual(marks);
    const changed = { ...document, about: { text: 'Now this.' } };
    expect(foundMarks(changed, { document, passage }, note)).toEqual([markOf(note)]);
  });

  it('has around it a passage below a key that is a number, which is no place in a list', () => {
    const inYear = { field: 'reports.2024.text', start: 0, end: 17 };
    const sentence = sentenceAt('reports.2024.1.text', 8, 'The next.');
    const around = [{ ...inYear, field: sentence.field, isAround: true }, markOf(sentence)];
    expect(foundMarks(document, { document, passage: inYear }, sentence)).toEqual(around);
  });

  it('has all of a sentence that the border of the passage cuts', () => {
    const cut = { ...passage, start: 60 };
    expect(foundMarks(document, { document, passage: cut }, twice)).toEqual([
      { ...cut, start: twice.start, isAround: true },
      markOf(twice),
    ]);
  });

  it('is the passage, or else where the sentence stands now, if that is not at its place', () => {
    const moved = { ...twice, start: 50, end: 67 };
    expect(foundMarks(document, { document, passage }, moved)).toEqual([passage]);
    const changed = { ...document, about: { text: 'New. It is said twice.' } };
    const now = [{ field: 'about.text', start: 5, end: 22 }];
    expect(foundMarks(changed, { document, passage }, twice)).toEqual(now);
    expect(foundMarks(changed, { document }, twice)).toEqual(now);
  });

  it('is nothing where the text is another by now', () => {
    const changed = { ...document, about: { text: 'Now this.' }, notes: 'none' };
    expect(foundMarks(changed, { document, passage }, undefined)).toEqual([]);
    expect(foundMarks(changed, { document, passage }, twice)).toEqual([]);
    expect(foundMarks(changed, { document }, note)).toEqual([]);
    expect(foundMarks(changed, { document: { id: 'a' }, passage }, undefined)).toEqual([]);
  });
});
