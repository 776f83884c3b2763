import { expect, test } from 'vitest';
import { hasDecimalCommas, readDecimalComma } from './decimal-comma.ts';

test.each([
  ['156,69', 156.69],
  ['1.234,50', 1234.5],
  ['-0,5', -0.5],
  ['1.234', 1234],
  ['12', 12],
  ['1.5', null],
  ['1,234.50', null],
  ['1,2,3', null],
  ['0123,4', null],
  ['1.2345,6', null],
  ['1e5', null],
  ['', null],
])('%j is %j', (cell, number) => {
  expect(readDecimalComma(cell)).toBe(number);
});

test.each([
  [['156,69', '12'], true],
  [['1.234,500'], true],
  [['0,125'], true],
  // It may be a thousand.
  [['1,234', '2,500'], false],
  [['12', '1.234'], false],
  // They may be two numbers each.
  [['2019,2020', '2021'], false],
  [['10115,10117'], false],
  [['1013,2500', '1013,25'], true],
  [['12,50', '99,95'], true],
  [['156,69', '156.69'], false],
  [['156,69', 'none'], false],
  [[], false],
])('a column of %j: %j', (cells, isSo) => {
  expect(hasDecimalCommas(cells, { delimiter: ';' })).toBe(isSo);
  expect(hasDecimalCommas(cells, { delimiter: ',' })).toBe(false);
});
