import type { FilterArea } from '../filter/filter-ast.ts';
import type { TextCursor } from '../text-cursor.ts';
import type { Point } from './point.ts';
import { Polygon } from './polygon.ts';

const numberPattern = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const wordPattern = /[a-z]+/iy;
const cornersMax = 1_000;

type Circle = Extract<FilterArea, { kind: 'circle' }>;

/** Reads what follows on an opening parenthesis: `48.2, 16.37, 5 km)`, or the corners of a polygon. Null: there is a fault. */
export function parseArea(cursor: TextCursor): FilterArea | null {
  cursor.skipSpace();
  const start = cursor.at;
  const corners: Point[] = [];
  do {
    if (corners.length === cornersMax) return cursor.fail(`expected at most ${cornersMax} corners`);
    cursor.skipSpace();
    const begin = cursor.at;
    const first = parseNumber(cursor);
    if (first === null) return null;
    const unit = parseUnit(cursor);
    if (unit === null) return null;
    const [center] = corners;
    if (unit !== '') {
      if (corners.length !== 1 || center === undefined || first < 0)
        return cursor.fail('expected a point and then how far: "(48.2, 16.37, 5 km)"', begin);
      if (!cursor.acceptAfterSpace(')')) return cursor.fail('expected ")"');
      return { kind: 'circle', center, radius: first, unit };
    }
    if (corners.length === 1 && cursor.peek() !== ',')
      return cursor.fail('expected km, mi or m, or "," and the longitude of a corner');
    const corner = parseRest(cursor, first, begin);
    if (corner === null) return null;
    corners.push(corner);
  } while (cursor.acceptAfterSpace(','));
  return parsePolygonEnd(cursor, corners, start);
}

/** Reads `48.2, 16.37)` behind the parenthesis. */
export function parsePoint(cursor: TextCursor): Point | null {
  cursor.skipSpace();
  const begin = cursor.at;
  const lat = parseNumber(cursor);
  const point = lat === null ? null : parseRest(cursor, lat, begin);
  if (point === null) return null;
  return cursor.acceptAfterSpace(')') ? point : cursor.fail('expected ")"');
}

function parsePolygonEnd(cursor: TextCursor, corners: Point[], start: number): FilterArea | null {
  if (!cursor.acceptAfterSpace(')')) return cursor.fail('expected "," or ")"');
  if (corners.length < 3)
    return cursor.fail('expected a distance (km, mi or m), or at least three corners', cursor.at - 1);
  if (new Polygon(corners).hasInside) return { kind: 'polygon', corners };
  return cursor.fail(
    'expected corners that enclose an area: edges go the shorter way around the earth, and a pole cannot be inside',
    start,
  );
}

/** Empty: there is none. Null: it is another one. */
function parseUnit(cursor: TextCursor): Circle['unit'] | '' | null {
  cursor.skipSpace();
  const start = cursor.at;
  const unit = cursor.match(wordPattern) ?? '';
  if (unit === 'km' || unit === 'mi' || unit === 'm' || unit === '') return unit;
  return cursor.fail('expected km, mi or m', start);
}

/** `begin`: where the latitude stands. */
function parseRest(cursor: TextCursor, lat: number, begin: number): Point | null {
  if (Math.abs(lat) > 90) return cursor.fail('expected a latitude from -90 to 90', begin);
  if (!cursor.acceptAfterSpace(',')) return cursor.fail('expected "," and the longitude');
  cursor.skipSpace();
  const at = cursor.at;
  const lng = parseNumber(cursor);
  if (lng === null) return null;
  if (Math.abs(lng) > 180) return cursor.fail('expected a longitude from -180 to 180', at);
  return { lat, lng };
}

function parseNumber(cursor: TextCursor): number | null {
  cursor.skipSpace();
  const start = cursor.at;
  const text = cursor.match(numberPattern);
  const value = Number(text);
  return text === null || !Number.isFinite(value) ? cursor.fail('expected a number', start) : value;
}
