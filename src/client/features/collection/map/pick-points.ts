import type { Camera, Size } from './map-camera.ts';

/** A point of the screen, in CSS pixels. */
export interface Spot {
  x: number;
  y: number;
}

/** The point nearest to a spot within `reach` pixels; null: there is none. A pass over 5,000 points takes some microseconds. */
export function pointAt(positions: Float32Array, camera: Camera, spot: Spot, reach: number): number | null {
  let nearest: number | null = null;
  let bound = reach * reach;
  for (let i = 0; i < positions.length; i += 2) {
    const x = (positions[i] ?? 0) * camera.scale + camera.left - spot.x;
    const y = (positions[i + 1] ?? 0) * camera.scale + camera.top - spot.y;
    const distance = x * x + y * y;
    if (distance > bound) continue;
    bound = distance;
    nearest = i / 2;
  }
  return nearest;
}

/** The points inside a line drawn around them, which is closed from its end to its beginning (even-odd rule). */
export function pointsWithin(positions: Float32Array, camera: Camera, line: Spot[]): number[] {
  const within: number[] = [];
  for (let i = 0; i < positions.length; i += 2) {
    const x = (positions[i] ?? 0) * camera.scale + camera.left;
    const y = (positions[i + 1] ?? 0) * camera.scale + camera.top;
    if (isInside(line, x, y)) within.push(i / 2);
  }
  return within;
}

export function pointsInView(positions: Float32Array, camera: Camera, { width, height }: Size): number[] {
  const box = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  return pointsWithin(positions, camera, box);
}

function isInside(line: Spot[], x: number, y: number): boolean {
  let inside = false;
  let before = line.at(-1);
  for (const corner of line) {
    if (before && corner.y > y !== before.y > y) {
      const crossing = corner.x + ((y - corner.y) / (before.y - corner.y)) * (before.x - corner.x);
      if (x < crossing) inside = !inside;
    }
    before = corner;
  }
  return inside;
}
