import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Camera, fitCamera, panned, zoomed } from './map-camera.ts';
import { pointAt, pointsInView, pointsWithin } from './pick-points.ts';

const size = { width: 600, height: 400 };
const square = Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1, 0, 0);
const fitted = fitCamera(square, size);
const onScreen = (point: number, camera: Camera = fitted) => ({
  x: (square[2 * point] ?? 0) * camera.scale + camera.left,
  y: (square[2 * point + 1] ?? 0) * camera.scale + camera.top,
});

it('shows all points, in the middle, within a margin', () => {
  expect(onScreen(4)).toEqual({ x: 300, y: 200 });
  expect(onScreen(0)).toEqual({ x: 300 - 176, y: 24 });
  expect(Number.isFinite(fitCamera(new Float32Array(0), size).scale)).toBe(true);
  const { scale, left, top } = fitCamera(Float32Array.of(3, 3, 3, 3), size);
  expect([3 * scale + left, 3 * scale + top]).toEqual([300, 200]);
});

it('keeps what is below the pointer where it is', () => {
  const corner = onScreen(2);
  const near = zoomed(fitted, fitted, { by: 3, ...corner });
  expect(onScreen(2, near).x).toBeCloseTo(corner.x);
  expect(onScreen(2, near).y).toBeCloseTo(corner.y);
  expect(near.scale).toBeCloseTo(fitted.scale * 3);
});

it('never leaves the map, however it is moved', () => {
  const move = fc.record({
    by: fc.integer({ min: 1, max: 40 }).map((tenths) => tenths / 10),
    x: fc.integer({ min: -3_000, max: 3_000 }),
    y: fc.integer({ min: -3_000, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
      let camera: Camera = fitted;
      for (const { by, x, y } of moves) {
        camera = zoomed(camera, fitted, { by, x: Math.abs(x) % 600, y: Math.abs(y) % 400 });
        camera = panned(camera, fitted, { x, y });
      }
      expect(camera.scale / fitted.scale).toBeGreaterThanOrEqual(0.49);
      expect(camera.scale / fitted.scale).toBeLessThanOrEqual(40.1);
      const [first, last] = [onScreen(0, camera), onScreen(2, camera)];
      expect(first.x < size.width && last.x > 0 && first.y < size.height && last.y > 0).toBe(true);
    }),
  );
});

it('picks the nearest point within reach', () => {
  const { x, y } = onScreen(1);
  expect(pointAt(square, fitted, { x: x + 5, y }, 10)).toBe(1);
  expect(pointAt(square, fitted, { x: x + 11, y }, 10)).toBeNull();
});

it('selects what is inside a line, also one that has a bay', () => {
  const [a, b, c, d, middle] = [0, 1, 2, 3, 4].map((point) => onScreen(point));
  if (!a || !b || !c || !d || !middle) throw new Error('five points');
  const around = [
    { x: a.x - 9, y: a.y - 9 },
    { x: b.x + 9, y: b.y - 9 },
    { x: c.x + 9, y: c.y + 9 },
    { x: d.x - 9, y: d.y + 9 },
  ];
  expect(pointsWithin(square, fitted, around)).toEqual([0, 1, 2, 3, 4]);
  // From the left edge a bay goes in behind the middle.
  const bay = [
    ...around,
    { x: d.x - 9, y: middle.y + 9 },
    { x: middle.x + 9, y: middle.y },
    { x: a.x - 9, y: middle.y - 9 },
  ];
  expect(pointsWithin(square, fitted, bay)).toEqual([0, 1, 2, 3]);
  expect(pointsWithin(square, fitted, [])).toEqual([]);
});

it('knows what is in view', () => {
  expect(pointsInView(square, fitted, size)).toEqual([0, 1, 2, 3, 4]);
  const near = zoomed(fitted, fitted, { by: 4, ...onScreen(3) });
  expect(pointsInView(square, near, size)).toEqual([3]);
});
