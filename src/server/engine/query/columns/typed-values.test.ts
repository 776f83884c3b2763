import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { typedValues } from './typed-values.ts';

const read = (document: Record<string, unknown>, declared: Parameters<typeof typedValues>[1] = []) =>
  runSteps(typedValues(document, declared));

test('a field has values of several types, each once', () => {
  const [field] = read({ id: 'a', size: [5, '5', true, 5, 'Fünf'] });
  expect(field).toMatchObject({
    path: 'size',
    types: ['string', 'number', 'boolean'],
    numbers: [5],
    booleans: [true],
    dates: [],
    strings: [
      { text: '5', label: '5', folded: '5', isLong: false },
      { text: 'Fünf', label: 'Fünf', folded: 'fünf', isLong: false },
    ],
  });
});

test('a text that reads as a date is both, a declared date is none', () => {
  const texts = { made: '2020-01-02' };
  expect(read(texts)[0]).toMatchObject({ types: ['date', 'string'], dates: [1_577_923_200] });
  const [declared] = read(texts, [{ name: 'made', type: 'date' }]);
  expect(declared).toMatchObject({ types: ['date'], isDeclaredDate: true, dates: [1_577_923_200] });
  expect(declared?.strings.map(({ label }) => label)).toEqual(['2020-01-02']);
});

test('of a long text there is the beginning, and objects go by path', () => {
  const [field] = read({ author: { about: 'x'.repeat(300) } });
  expect(field?.path).toBe('author.about');
  expect(field?.strings).toEqual([
    { text: 'x'.repeat(64), label: `${'x'.repeat(64)}…`, folded: 'x'.repeat(64), isLong: true },
  ]);
});

test('points are those of declared fields, and a type that no value has is not told', () => {
  const declared = [
    { name: 'at', type: 'geopoint' },
    { name: 'price', type: 'number' },
  ] as const;
  const values = read({ at: { lat: 48.2, lng: 16.4 }, price: 'much' }, [...declared]);
  expect(values.map(({ path, types, points }) => ({ path, types, points }))).toEqual([
    { path: 'at', types: ['geopoint'], points: [{ lat: 48.2, lng: 16.4 }] },
    { path: 'price', types: ['string'], points: [] },
  ]);
});
