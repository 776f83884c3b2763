import type { Point } from '../query/geo/point.ts';

/** Meters between two points by the angle between their vectors from the middle of the earth: no haversine, and exact everywhere. */
export function plainDistance(a: Point, b: Point, radiusMeters = 6_371_008.8): number {
  const [ax, ay, az] = vectorOf(a);
  const [bx, by, bz] = vectorOf(b);
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  return radiusMeters * Math.atan2(cross, ax * bx + ay * by + az * bz);
}

function vectorOf({ lat, lng }: Point): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}
