import { isPauseDue, type Steps } from '../../steps.ts';
import { asPoint, type Point } from './point.ts';

/** Units of work: to look at a value. */
const lookUnits = 16;

/**
 * The points at a field's path in a document: through objects and lists of them, and in keys that hold a dot, as other fields are found. A field
 * holds one or a list of them; what is none is left out.
 */
export function* pointsAt(document: Record<string, unknown>, path: string): Steps<Point[]> {
  const points: Point[] = [];
  yield* collect(document, path, points);
  return points;
}

function* collect(value: unknown, path: string, points: Point[]): Steps<void> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isPauseDue(lookUnits)) yield;
      if (typeof item === 'object') yield* collect(item, path, points);
    }
    return;
  }
  const members = value as Record<string, unknown>;
  if (Object.hasOwn(members, path)) yield* addPointsOf(members[path], points);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    if (Object.hasOwn(members, key)) yield* collect(members[key], path.slice(dot + 1), points);
  }
}

function* addPointsOf(value: unknown, points: Point[]): Steps<void> {
  const own = asPoint(value);
  if (own !== null) points.push(own);
  if (own !== null || !Array.isArray(value)) return;
  for (const item of value) {
    if (isPauseDue(lookUnits)) yield;
    const point = asPoint(item);
    if (point !== null) points.push(point);
  }
}
