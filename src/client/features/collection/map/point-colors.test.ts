import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapValue } from '#shared/document-map.ts';
import { colorPoints, type PointColors } from './point-colors.ts';

const color = (values: MapValue[], isDate = false) => colorPoints(values, { isPlain: false, isDate });
const labels = ({ entries }: PointColors) => entries.map(({ label, count }) => `${label} ${count}`);
const times = (count: number, value: MapValue) => Array.from({ length: count }, () => value);

describe('values', () => {
  it('have a color each, the most frequent first, then others and none', () => {
    const many = Array.from({ length: 10 }, (_, i) => times(20 - i, `g${i}`)).flat();
    const colors = color([...many, null, 'alone']);
    expect(labels(colors)).toEqual([
      ...Array.from({ length: 8 }, (_, i) => `g${i} ${20 - i}`),
      'Other 24',
      'No value 1',
    ]);
    expect(new Set(colors.entries.map((entry) => entry.color)).size).toBe(10);
  });

  it('leave out what no point has', () => {
    expect(labels(color(['a', 'b', 'a']))).toEqual(['a 2', 'b 1']);
    expect(labels(color([null, null]))).toEqual(['No value 2']);
    expect(labels(color([true, false, true]))).toEqual(['Yes 2', 'No 1']);
    expect(labels(color([1, 2, 2, 3]))).toEqual(['2 2', '1 1', '3 1']);
  });

  it('are those of one color where no field tells them apart', () => {
    expect(labels(colorPoints([null, null], { isPlain: true, isDate: false }))).toEqual(['Documents 2']);
  });
});

describe('amounts', () => {
  it('have steps with as many points each', () => {
    const colors = color(Array.from({ length: 100 }, (_, i) => 1_900 + i));
    expect(colors.kind).toBe('ramp');
    expect(labels(colors)).toEqual([
      '1900 – 1919 20',
      '1920 – 1939 20',
      '1940 – 1959 20',
      '1960 – 1979 20',
      '1980 – 1999 20',
    ]);
  });

  it('have fewer steps where most points have one value, and the highest is the end of the ramp', () => {
    const colors = color([...times(90, 0), ...Array.from({ length: 10 }, (_, i) => i + 1), null]);
    expect(labels(colors)).toEqual(['0 – 10 100', 'No value 1']);
    expect(colors.entries[0]?.color).toBe('--vx-map-ramp-5');
  });

  it('are days where the field has dates', () => {
    const day = 86_400;
    const [first] = color(
      Array.from({ length: 50 }, (_, i) => i * day),
      true,
    ).entries;
    expect(first?.label).toMatch(/1970.*1970/);
  });

  it('each lie within the step whose color they have', () => {
    const number = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(fc.array(fc.oneof(number, fc.constant(null)), { minLength: 30 }), (values) => {
        const { kind, entries, entryOf } = color(values);
        expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        if (kind !== 'ramp') return;
        for (const [point, value] of values.entries()) {
          const [from = 0, to = from] = (entries[entryOf[point] ?? 0]?.label ?? '').split(' – ').map(Number);
          if (value !== null) expect(value >= from && value <= to).toBe(true);
        }
      }),
    );
  });
});
