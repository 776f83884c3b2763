import { expect, test } from 'vitest';
import { analyzerOf } from '#server/indexes/language/analyzer-of.ts';
import { noteOf, readNote } from './made-by.ts';

test('a note says what an index is made by, whatever the defaults of a later release are, and notes without constants mean those of their time', () => {
  const constants = { k1: 1.3, b: 0.6, titleWeight: 2 };
  const note = noteOf({ analyzer: analyzerOf('de'), constants });
  expect(note).toBe('de-2 3 1.3 0.6 2');
  expect(readNote(note)).toEqual({ name: 'de-2', layout: 'own', constants });
  expect(readNote('de-2 3')).toEqual(readNote(note));
  const { layout } = readNote('de-2 4 0.9 0.4 3');
  expect([layout, readNote('de-2 2').layout, readNote('de-2 1').layout]).toEqual([
    'later',
    'former',
    'earlier',
  ]);
});
