import { expect, test } from 'vitest';
import { restCall } from './rest-addresses.ts';

test('parameters stand encoded in the path', () => {
  expect(restCall('POST /api/collections/{name}/documents/import', { name: 'a/b?c' })).toEqual({
    method: 'POST',
    path: '/api/collections/a%2Fb%3Fc/documents/import',
  });
  expect(restCall('POST /api/multi-search', {})).toEqual({ method: 'POST', path: '/api/multi-search' });
});
