import type { Diagnostic, SortKey } from '../../types.ts';
import { parsePoint } from '../geo/area-parser.ts';
import { TextCursor } from '../text-cursor.ts';

/** Reads `price:asc,at(48.2, 16.37):desc,_score`: at most `keysMax` keys, ascending where nothing is said. Never throws; keys are empty where there is a fault. */
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
  const beginning = cursor.match(geoKey);
  if (beginning !== null) return parseGeoKey(cursor, beginning.slice(0, -1).trim());
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

/** A name, which may have parentheses, and one with a comma in it: what is sorted by without a place has none. */
const geoKey = /[^,]+?\((?=[^,():]*,)/y;

/** `location(48.2, 16.37):asc`: by how far it is from there. */
function parseGeoKey(cursor: TextCursor, field: string): SortKey | null {
  const from = parsePoint(cursor);
  if (from === null) return null;
  const end = cursor.at;
  const direction = /^(?::\s*(asc|desc))?$/i.exec(cursor.until(/,/g));
  if (direction === null) return cursor.fail('expected ":asc", ":desc", "," or the end', end);
  return { field, descending: direction[1]?.toLowerCase() === 'desc', from };
}
