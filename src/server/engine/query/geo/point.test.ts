import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { longestStep } from '../../testing/longest-step.ts';
import { asPoint } from './point.ts';
import { pointsAt } from './points-at.ts';

test('what is a point in a document', () => {
  expect([asPoint([1, 2]), asPoint({ lat: 1, lng: 2, name: 'there' })]).toEqual([
    { lat: 1, lng: 2 },
    { lat: 1, lng: 2 },
  ]);
  for (const none of [[1], [1, 2, 3], [91, 0], [0, 181], ['1', '2'], { lat: 1 }, '1,2', null, 5])
    expect(asPoint(none)).toBeNull();
});

test.each<[string, Record<string, unknown>, string]>([
  ['one', { at: [1, 2] }, 'at'],
  ['a list, without what is none', { at: [[1, 2], { lat: 3, lng: 4 }, 'x', null] }, 'at'],
  ['in an object', { seat: { at: [1, 2] } }, 'seat.at'],
  ['in lists of objects', { seat: [{ at: [1, 2] }, { at: [[3, 4]] }, null, 5] }, 'seat.at'],
  ['in a key with a dot', { 'seat.at': [1, 2] }, 'seat.at'],
  ['behind a key with a dot', { 'my.seat': { at: [1, 2] } }, 'my.seat.at'],
])('points are found: %s', (_, document, path) => {
  const points = runSteps(pointsAt(document, path));
  expect(points[0]).toEqual({ lat: 1, lng: 2 });
  expect(points.slice(1)).toEqual(JSON.stringify(document).includes('3') ? [{ lat: 3, lng: 4 }] : []);
});

test('no points are found where none are, nor in what objects inherit', () => {
  for (const document of [{}, { at: null }, { at: [] }, { at: { lat: 1 } }, { other: [1, 2] }])
    expect(runSteps(pointsAt(document, 'at'))).toEqual([]);
  expect(runSteps(pointsAt({}, 'constructor.name'))).toEqual([]);
});

test('many points are found with pauses', () => {
  const at = Array.from({ length: 100_000 }, (_, i) => [i % 90, i % 180]);
  const { result, steps } = longestStep(pointsAt({ at }, 'at'));
  expect(result).toHaveLength(100_000);
  expect(steps).toBeGreaterThan(50);
});
