import { describe, expect, test } from 'vitest';
import { AppError } from '#server/errors.ts';
import { catalogue } from './catalogue.ts';
import { withNearestParameter } from './nearest-parameter.ts';

function refused(address: string, path: string, message = 'is not a known field'): AppError {
  const operation = catalogue.find((one) => `${one.method} ${one.path}` === address);
  if (!operation) throw new Error(`${address} is no operation`);
  const error = new AppError('BAD_REQUEST', `${path}: ${message}`, { details: [{ path, message }] });
  return withNearestParameter(error, operation) as AppError;
}

describe('a field that an operation does not know is refused with the nearest that it knows', () => {
  test.each([
    ['GET /api/collections/{name}/search', 'querry_by', 'query_by'],
    ['POST /api/collections/{name}/search', 'perPage', 'per_page'],
    ['POST /api/collections/{name}/search', 'filter', 'filter_by'],
    ['POST /api/multi-search', 'searches.0.sort', 'sort_by'],
    ['PUT /api/aliases/{alias}', 'collection_name', 'collection'],
  ])('%s: %s', (address, path, nearest) => {
    const { message, details } = refused(address, path);
    expect(message).toBe(`${path}: is not a known field; the nearest is "${nearest}"`);
    expect(details).toEqual([{ path, message: `is not a known field; the nearest is "${nearest}"` }]);
  });

  test('but not with what the address gives, nor where nothing is near', () => {
    const search = 'POST /api/collections/{name}/search';
    expect(refused(search, 'colection').message).toBe('colection: is not a known field');
    expect(refused(search, 'entirely_other').message).toBe('entirely_other: is not a known field');
    expect(refused(search, 'x'.repeat(5_000)).details).toHaveLength(1);
    expect(refused(search, 'querry_by', 'is wrong').message).toBe('querry_by: is wrong');
  });
});
