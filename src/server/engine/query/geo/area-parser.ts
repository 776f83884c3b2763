import type { FilterArea } from '../filter/filter-ast.ts';
import type { TextCursor } from '../text-cursor.ts';
import type { Point } from './point.ts';

const numberPattern = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const unitPattern = /km|mi|m/y;
const cornersMax = 1_000;

/** Reads what follows on an opening parenthesis: `48.2, 16.37, 5 km)`, or the corners of a polygon. Null: there is a fault. */
export function parseArea(cursor: TextCursor): FilterArea | null {
  const corners: Point[] = [];
  do {
    if (corners.length === cornersMax) return cursor.fail(`expected at most ${cornersMax} corners`);
    const start = cursor.at;
    const first = parseNumber(cursor);
    if (first === null) return null;
    cursor.skipSpace();
    const unit = cursor.match(unitPattern);
    const [center] = corners;
    if (unit !== null) {
      if (corners.length !== 1 || center === undefined || first < 0)
        return cursor.fail('expected a point and then how far: "(48.2, 16.37, 5 km)"', start);
      if (!cursor.acceptAfterSpace(')')) return cursor.fail('expected ")"');
      return { kind: 'circle', center, radius: first, unit: unit as 'km' | 'm' | 'mi' };
    }
    const corner = parseRest(cursor, first, start);
    if (corner === null) return null;
    corners.push(corner);
  } while (cursor.acceptAfterSpace(','));
  if (!cursor.acceptAfterSpace(')')) return cursor.fail('expected ",", km, mi, m or ")"');
  if (corners.length < 3) return cursor.fail('expected a distance (km, mi or m), or at least three corners');
  return { kind: 'polygon', corners };
}

/** Reads `48.2, 16.37)` behind the parenthesis. */
export function parsePoint(cursor: TextCursor): Point | null {
  const start = cursor.at;
  const lat = parseNumber(cursor);
  const point = lat === null ? null : parseRest(cursor, lat, start);
  if (point === null) return null;
  return cursor.acceptAfterSpace(')') ? point : cursor.fail('expected ")"');
}

function parseRest(cursor: TextCursor, lat: number, start: number): Point | null {
  if (Math.abs(lat) > 90) return cursor.fail('expected a latitude from -90 to 90', start);
  if (!cursor.acceptAfterSpace(',')) return cursor.fail('expected "," and the longitude');
  const at = cursor.at;
  const lng = parseNumber(cursor);
  if (lng === null) return null;
  if (Math.abs(lng) > 180) return cursor.fail('expected a longitude from -180 to 180', at);
  return { lat, lng };
}

function parseNumber(cursor: TextCursor): number | null {
  cursor.skipSpace();
  const text = cursor.match(numberPattern);
  const value = Number(text);
  return text === null || !Number.isFinite(value) ? cursor.fail('expected a number') : value;
}
