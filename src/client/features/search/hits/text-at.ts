import type { JsonValue } from '#shared/documents.ts';

/** The text at a field's path, in lists by place, and in keys that hold a dot. Null: there is none. */
export function textAt(fields: JsonValue | undefined, path: string): string | null {
  if (typeof fields !== 'object' || fields === null) return null;
  const members = fields as Record<string, JsonValue>;
  if (typeof members[path] === 'string') return members[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const text = textAt(members[path.slice(0, dot)], path.slice(dot + 1));
    if (text !== null) return text;
  }
  return null;
}
