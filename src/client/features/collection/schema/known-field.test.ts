import { expect, test } from 'vitest';
import { inReadingOrder, type KnownField, odditiesOf, typesOf } from './known-field.ts';

const field = (path: string, counts: [string, number][], isDeclared = false): KnownField => ({
  path,
  isDeclared,
  counts: counts.map(([type, documentCount]) => ({ type: type as 'string', documentCount })),
  documentCount: Math.max(0, ...counts.map(([, count]) => count)),
});

test('declared fields come first, in their order, then those that most documents have', () => {
  const fields = [
    field('z', [['number', 1]], true),
    field('a', [['string', 9]], true),
    field('rare', [['string', 1]]),
    field('usual', [['string', 8]]),
  ];
  expect(inReadingOrder(fields).map(({ path }) => path)).toEqual(['z', 'a', 'usual', 'rare']);
});

test('a text that is a date counts as the date', () => {
  const types = typesOf(
    field('at', [
      ['date', 3],
      ['string', 5],
    ]),
  );
  expect(types).toEqual([
    { type: 'date', documentCount: 3 },
    { type: 'string', documentCount: 2 },
  ]);
  expect(
    typesOf(
      field('at', [
        ['date', 3],
        ['string', 3],
      ]),
    ),
  ).toEqual([{ type: 'date', documentCount: 3 }]);
});

test('what differs is told with a filter that shows it, where there is one', () => {
  const year = field('release year', [
    ['number', 98],
    ['string', 2],
  ]);
  expect(odditiesOf(year, undefined)).toEqual([
    { text: '2 with a text', filter: '`release year`:* && !(`release year`:>=0 || `release year`:<0)' },
  ]);
  expect(
    odditiesOf(
      field('code', [
        ['string', 98],
        ['number', 2],
      ]),
      undefined,
    ),
  ).toEqual([{ text: '2 with a number', filter: '(code:>=0 || code:<0)' }]);
  expect(
    odditiesOf(
      field('on', [
        ['string', 3],
        ['boolean', 1],
      ]),
      undefined,
    ),
  ).toEqual([{ text: '1 with true or false', filter: null }]);
  expect(odditiesOf(field('year', [['number', 5]]), undefined)).toEqual([]);
});
