import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate, parseDateSpan } from './calendar.ts';

describe('dates', () => {
  test('agree with the runtime for every timestamp it writes', () => {
    const from = new Date('0001-01-01T00:00:00Z');
    const to = new Date('9999-12-31T23:59:59Z');
    fc.assert(
      fc.property(fc.date({ min: from, max: to, noInvalidDate: true }), (date) => {
        expect(parseDate(date.toISOString())).toBeCloseTo(date.getTime() / 1000, 4);
        const day = date.toISOString().slice(0, 10);
        expect(parseDateSpan(day)?.start).toBe(Date.parse(day) / 1000);
      }),
    );
  });

  test.each<[string, number, number]>([
    ['2024-02-29', 1_709_164_800, 86_400],
    ['2024-02', 1_706_745_600, 29 * 86_400],
    ['1970-01-01T00:01', 60, 60],
    ['1970-01-01 00:01:02', 62, 0],
    ['1970-01-01T00:00:00.25Z', 0.25, 0],
    ['1970-01-01T02:00:00+02:00', 0, 0],
    ['1969-12-31T22:30:00-0130', 0, 0],
  ])('%s starts at %d and lasts %d s', (text, start, length) => {
    expect(parseDateSpan(text)).toEqual({ start, end: start + length });
  });

  test.each([
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-32',
    '2024-01-01T24:00:00Z',
    '2024-01-01T10',
    '2024-1-1',
    '20240101',
    '2024-01-01x',
    '',
    '2024',
    '2024-01-01T10:00:00+99:00',
  ])('"%s" is no date', (text) => {
    expect(parseDateSpan(text)).toBeNull();
  });

  test('a month is a span for filters, not a date of a document', () => {
    expect(parseDate('2024-02')).toBeNull();
  });
});
