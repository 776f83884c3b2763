// @vitest-environment node
import { expect, it } from 'vitest';
import { fieldLabel } from './field-label.ts';

it('writes names as people do, and keeps what has no words', () => {
  const names = ['acquisition_year', 'in-stock', 'author.firstName', 'ISBN', 'isbn13Code', 'größe', '__'];
  expect(names.map(fieldLabel)).toEqual([
    'Acquisition year',
    'In stock',
    'Author › First name',
    'ISBN',
    'Isbn13 code',
    'Größe',
    '__',
  ]);
});
