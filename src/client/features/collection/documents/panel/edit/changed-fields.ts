import type { JsonValue } from '#shared/documents.ts';

type Document = Record<string, JsonValue>;

export interface FieldChange {
  field: string;
  kind: 'added' | 'removed' | 'changed';
}

/** The fields of the uppermost level that differ; their order does not. */
export function changedFields(before: Document, after: Document): FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field): FieldChange[] => {
    if (!Object.hasOwn(before, field)) return [{ field, kind: 'added' }];
    if (!Object.hasOwn(after, field)) return [{ field, kind: 'removed' }];
    return isSame(before[field], after[field]) ? [] : [{ field, kind: 'changed' }];
  });
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => isSame(item, b[i]))
    );
  }
  return changedFields(a, b).length === 0;
}
