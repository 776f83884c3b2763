// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { choiceParam, numberParam, textListsParam, textParam, wholeParam } from './search-params.ts';

describe('what an address says', () => {
  it('takes a text, also one that looks like a number', () => {
    expect(textParam('films', 10)).toBe('films');
    expect(textParam(42, 10)).toBe('42');
    expect(textParam(true, 10)).toBe('true');
  });

  it('takes one of the choices', () => {
    expect(choiceParam('keys', ['collections', 'keys'], 'collections')).toBe('keys');
  });

  it('takes numbers within their range', () => {
    const range = { min: 1, max: 9, fallback: 5 };
    expect(wholeParam(9, range)).toBe(9);
    expect(numberParam(1.5, range)).toBe(1.5);
  });

  it('takes lists of texts by name', () => {
    expect(textListsParam({ genre: ['Noir', '1999'] }, 2)).toEqual({ genre: ['Noir', '1999'] });
  });
});

describe('what cannot be read', () => {
  it('is an empty text', () => {
    for (const value of [undefined, null, {}, ['a'], 'much too long']) expect(textParam(value, 5)).toBe('');
  });

  it('is the fallback', () => {
    const range = { min: 1, max: 9, fallback: 5 };
    for (const value of [undefined, '3', 0, 10, Number.NaN, Number.POSITIVE_INFINITY, null]) {
      expect(numberParam(value, range)).toBe(5);
      expect(wholeParam(value, range)).toBe(5);
    }
    expect(wholeParam(1.5, range)).toBe(5);
    expect(choiceParam(3, ['a'], 'a')).toBe('a');
  });

  it('is no list at all, so that half a filter never looks like a whole one', () => {
    for (const value of [
      undefined,
      null,
      [],
      'a',
      { genre: 'Noir' },
      { genre: [1] },
      { genre: ['a', 'b', 'c'] },
    ]) {
      expect(textListsParam(value, 2)).toEqual({});
    }
  });
});
