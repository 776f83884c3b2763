import { expect, test, vi } from 'vitest';
import { guessDelimiter, headBytes } from './guess-delimiter.ts';

test.each([
  ['id;title;a,year\n1,2,3,4', ';'],
  ['"a;b;c;d",title\n', ','],
  [`"a;b${'x'.repeat(headBytes)}`, ','],
  ['id|"a title that goes on', '|'],
  ['id', ','],
])('%j', (table, delimiter) => {
  expect(guessDelimiter(Buffer.from(table))).toBe(delimiter);
});

test('of thousands of cells hundreds are looked at: each costs the main thread some microseconds', () => {
  const looks = vi.spyOn(String, 'fromCharCode');
  const table = Buffer.from(`${',;\t|'.repeat(headBytes)}\n`);
  expect(guessDelimiter(table)).toBe(',');
  expect(guessDelimiter(Buffer.from('a;'.repeat(headBytes)))).toBe(';');
  expect(looks.mock.calls.length).toBeLessThan(1_500);
});
