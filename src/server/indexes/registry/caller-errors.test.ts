import { expect, it } from 'vitest';
import { TooDearError } from '#server/engine/search-index.ts';
import { toCallerError } from './caller-errors.ts';

it('names the parameter whose work is too much', () => {
  for (const [part, parameter] of [
    ['filter', 'filter_by'],
    ['facets', 'facet_by'],
  ] as const) {
    expect(toCallerError(new TooDearError(part))).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [{ path: parameter }],
    });
  }
});
