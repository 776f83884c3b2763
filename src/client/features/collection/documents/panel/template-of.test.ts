// @vitest-environment node
import { expect, it } from 'vitest';
import { templateOf } from './template-of.ts';

it('has what is declared and what other documents have, to be filled in', () => {
  const fields = [
    { path: 'id', types: ['string'] },
    { path: 'title', types: ['string'] },
    { path: 'author.name', types: ['string'] },
    { path: 'year', types: ['number', 'string'] },
  ];
  const declared = [{ name: 'year', type: 'number' as const, required: true }];
  expect(JSON.parse(templateOf(fields, declared))).toEqual({ year: null, title: '' });
  expect(JSON.parse(templateOf([], []))).toEqual({ title: '' });
});
