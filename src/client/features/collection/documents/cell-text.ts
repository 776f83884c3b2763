import { cutText } from '#client/lib/cut-text.ts';
import type { JsonValue } from '#shared/documents.ts';

const cellCharactersMax = 160;

/** All that stands at a path, through objects and lists of them: what a cell of the table shows. Empty: nothing does. */
export function cellText(document: Record<string, JsonValue>, path: string): string {
  return cutText(valuesAt(document, path).map(textOf).join(', '), cellCharactersMax);
}

function valuesAt(value: JsonValue, path: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === path) return Array.isArray(inner) ? inner : [inner];
    // A key may hold a dot itself.
    return path.startsWith(`${key}.`) ? valuesAt(inner, path.slice(key.length + 1)) : [];
  });
}

function textOf(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
