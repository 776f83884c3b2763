import type { Diagnostic, SortKey } from '../../types.ts';
import { parsePoint } from '../geo/area-parser.ts';
import { TextCursor } from '../text-cursor.ts';

/** Reads `price:asc,_score:desc`: at most `keysMax` keys, ascending where nothing is said. Never throws; keys are empty where there is a fault. */
export function parseSort(text: string, keysMax: number): { keys: SortKey[]; diagnostics: Diagnostic[] } {
  const keys: SortKey[] = [];
  if (text.trim() === '') return { keys, diagnostics: [] };
  const cursor = new TextCursor(text);
  do {
    cursor.skipSpace();
    if (keys.length === keysMax) cursor.fail(`expected at most ${keysMax} sort keys`);
    const key = parseKey(cursor);
    if (key !== null) keys.push(key);
  } while (cursor.fault === null && cursor.accept(','));
  return cursor.fault === null ? { keys, diagnostics: [] } : { keys: [], diagnostics: [cursor.fault] };
}

/** The direction stands behind the last colon, since a field's name may have some. */
function parseKey(cursor: TextCursor): SortKey | null {
  const start = cursor.at;
  const point = geoKey.exec(cursor.text.slice(start, start + keyCharactersMax));
  if (point !== null) return parseGeoKey(cursor, point[0]);
  const text = cursor.until(/,/g);
  const colon = text.lastIndexOf(':');
  const field = (colon < 0 ? text : text.slice(0, colon)).trim();
  if (field === '') return cursor.fail('expected a field name', start);
  const direction =
    colon < 0
      ? 'asc'
      : text
          .slice(colon + 1)
          .trim()
          .toLowerCase();
  if (direction === 'asc' || direction === 'desc') return { field, descending: direction === 'desc' };
  return cursor.fail('expected asc or desc after ":"', start + colon + 1);
}

/** A field's name and an opening parenthesis. */
const geoKey = /^[^,:()]+\(/;
const keyCharactersMax = 512;

/** `location(48.2, 16.37):asc`: by how far it is from there. */
function parseGeoKey(cursor: TextCursor, beginning: string): SortKey | null {
  cursor.at += beginning.length;
  const from = parsePoint(cursor);
  if (from === null) return null;
  const start = cursor.at;
  const rest = cursor.until(/,/g);
  const direction = rest === '' ? 'asc' : rest.replace(/^:\s*/, '').toLowerCase();
  const isMarked = rest === '' || rest.startsWith(':');
  if (!isMarked || (direction !== 'asc' && direction !== 'desc'))
    return cursor.fail('expected ":asc", ":desc", "," or the end', start);
  return { field: beginning.slice(0, -1).trim(), descending: direction === 'desc', from };
}
