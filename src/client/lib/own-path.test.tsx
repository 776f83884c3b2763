import { describe, expect, it } from 'vitest';
import { ownPath, validateRedirectSearch } from './own-path.ts';

const origin = 'https://console.example';

describe('ownPath', () => {
  it.each([
    ['/projects/3', '/projects/3'],
    ['/search?query=a%20b&mode=hybrid#hits', '/search?query=a%20b&mode=hybrid#hits'],
    ['/', '/'],
  ])('keeps %s', (value, expected) => {
    expect(ownPath(value, origin)).toBe(expected);
  });

  it.each([
    '//evil.example/login',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'dashboard',
    '',
    7,
    null,
    undefined,
  ])('refuses %j', (value) => {
    expect(ownPath(value, origin)).toBeUndefined();
  });

  it('leaves no trace of a refused one in the search', () => {
    expect(validateRedirectSearch({ redirect: '//evil.example' })).toStrictEqual({ redirect: undefined });
    expect(validateRedirectSearch({ redirect: '/collections' })).toEqual({ redirect: '/collections' });
  });
});
