import type { JsonValue } from '#shared/documents.ts';

interface FoundText {
  text: string;
  /** On the way to it, without places in lists. */
  keys: string[];
}

/** The text at a field's path, in lists by place, and in keys that hold a dot. Null: there is none. */
export function textAt(fields: JsonValue | undefined, path: string): string | null {
  return findText(fields, path)?.text ?? null;
}

/** What the index calls the field of the text at a path: elements of a list share its name, a key that is a number is part of it. Null: there is no text. */
export function fieldNameAt(fields: JsonValue | undefined, path: string): string | null {
  return findText(fields, path)?.keys.join('.') ?? null;
}

function findText(value: JsonValue | undefined, path: string): FoundText | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Record<string, JsonValue>;
  const named = (key: string) => (Array.isArray(value) ? [] : [key]);
  if (typeof members[path] === 'string') return { text: members[path], keys: named(path) };
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    const found = findText(members[key], path.slice(dot + 1));
    if (found !== null) return { text: found.text, keys: [...named(key), ...found.keys] };
  }
  return null;
}
