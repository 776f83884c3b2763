import { expect, it } from 'vitest';
import { TooDearError } from '#server/engine/search-index.ts';
import { notStored, toCallerError } from './caller-errors.ts';
import { NoMemoryLeftError } from './memory-errors.ts';

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

it('tells a write for which there is no memory that it was not stored', () => {
  const cause = new NoMemoryLeftError();
  const refused = () => notStored(cause);
  expect(refused).toThrow('This was not stored');
  expect(refused).toThrow(expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 5 }));
  expect(toCallerError(cause)).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.not.stringContaining('stored'),
  });
  expect(() => notStored(new TypeError('another'))).toThrow(TypeError);
});
