import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { longestStep } from '../../testing/longest-step.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { eachDistance } from './each-distance.ts';

test('many documents are asked for their points with pauses, and those without are passed over', () => {
  const columns = new ColumnStore([{ name: 'at', type: 'geopoint' }]);
  runSteps(columns.add(7, { at: [[0, 0], { lat: 1, lng: 0 }] }));
  const field = columns.field('at');
  if (field === undefined) throw new Error('there is no field');
  const ordinals = Int32Array.from({ length: 100_000 }, (_, i) => i);
  for (const [isFarthest, degrees] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const told: [place: number, meters: number][] = [];
    const asked = { ordinals, from: { lat: 2, lng: 0 }, isFarthest };
    const { steps } = longestStep(eachDistance(field, asked, (...each) => told.push(each)));
    expect(told).toEqual([[7, expect.closeTo(degrees * 111_195.08, 1)]]);
    expect(steps).toBeGreaterThan(50);
  }
});

test('a point that a document has twice is kept once', () => {
  const columns = new ColumnStore([{ name: 'at', type: 'geopoint' }]);
  runSteps(columns.add(0, { at: [[1, 2], { lat: 1, lng: 2 }, [1, 3], [2, 2]] }));
  const field = columns.field('at');
  expect([field?.latitudes?.size, field?.longitudes?.size]).toEqual([3, 3]);
});
