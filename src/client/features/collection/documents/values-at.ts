import type { JsonValue } from '#shared/documents.ts';

/** All that stands at a path of a document, through objects and lists of them; of a list its items. */
export function valuesAt(value: JsonValue, path: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === path) return Array.isArray(inner) ? inner : [inner];
    // A key may hold a dot itself.
    return path.startsWith(`${key}.`) ? valuesAt(inner, path.slice(key.length + 1)) : [];
  });
}
