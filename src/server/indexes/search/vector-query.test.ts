import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import type { CollectionHandle } from '../indexes.ts';
import { readVectorQuery } from './vector-query.ts';

const collection: CollectionHandle = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 2,
  metric: 'cosine',
  rulesVersion: 0,
};
const parse = (given: Parameters<typeof readVectorQuery>[1]) => readVectorQuery(collection, given);

describe('readVectorQuery', () => {
  it('reads the same from each of its forms', () => {
    const expected = { vector: Float32Array.of(0.5, -200), k: 7, distanceThreshold: 0.25 };
    expect(parse({ vector: [0.5, -200], k: 7, distance_threshold: 0.25 })).toEqual(expected);
    expect(parse('embedding:([0.5, -2e2], k:7, distance_threshold:0.25)')).toEqual(expected);
    expect(parse(' embedding : ( [ .5,-200. ] ,distance_threshold : 2.5e-1, k: 7 ) ')).toEqual(expected);
    expect(parse('{"vector": [0.5, -200], "k": 7, "distance_threshold": 0.25}')).toEqual(expected);
    expect(parse([1, 2])).toEqual({ vector: Float32Array.of(1, 2), k: null, distanceThreshold: null });
    expect(parse('[1, 2]')).toEqual(parse([1, 2]));
    expect(parse('embedding:([], k: 3)')).toEqual({ vector: null, k: 3, distanceThreshold: null });
    expect(parse(undefined)).toBeNull();
  });

  it('says where a text goes wrong and what was expected', () => {
    const fault = (text: string) => {
      try {
        parse(text);
      } catch (error) {
        if (error instanceof AppError) return error.details?.[0];
        throw error;
      }
      throw new Error(`${text} was accepted`);
    };
    expect(fault('')).toMatchObject({ path: 'vector_query', position: 0 });
    expect(fault('vec:([1, 2])')).toMatchObject({ position: 0 });
    expect(fault('embedding([1, 2])')).toMatchObject({
      position: 9,
      message: expect.stringContaining('":"'),
    });
    expect(fault('embedding:([1, two])')).toMatchObject({
      position: 15,
      message: expect.stringContaining('a number'),
    });
    expect(fault('embedding:([1, 2], q:3)')).toMatchObject({ position: 19 });
    expect(fault('embedding:([1, 2]')).toMatchObject({ position: 17 });
    expect(fault('[1, 2] and more')).toMatchObject({
      position: 7,
      message: expect.stringContaining('the end'),
    });
  });

  it('refuses another dimension, numbers beyond single precision, and k out of range', () => {
    const badRequest = expect.objectContaining({ code: 'BAD_REQUEST' });
    for (const given of [
      [1],
      [1, 2, 3],
      [1, 1e39],
      [0, 0],
      'embedding:([1, 2], k:0)',
      'embedding:([1, 2], k:1.5)',
      '{"k": 10001}',
    ]) {
      expect(() => parse(given)).toThrow(badRequest);
    }
  });

  it('never fails in another way, whatever the text', () => {
    const piece = fc.constantFrom(
      'embedding',
      ':',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      'k',
      'vector',
      '1',
      '-2.5e3',
      ' ',
      '.',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            expect(error).toMatchObject({ code: 'BAD_REQUEST' });
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
