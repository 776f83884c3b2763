import { parseDate } from '#server/engine/search-index.ts';
import { AppError } from '#server/errors.ts';
import type { DeclaredField, FieldType } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';

/** A document whose declared fields are missing or of another type is refused, with every fault at once. */

const accepts: Record<FieldType, { test: (value: unknown) => boolean; expected: string }> = {
  string: { test: (value) => typeof value === 'string', expected: 'a string' },
  number: { test: (value) => typeof value === 'number', expected: 'a number' },
  boolean: { test: (value) => typeof value === 'boolean', expected: 'true or false' },
  date: { test: isDate, expected: 'an ISO 8601 date or Unix seconds' },
};

/** @throws AppError BAD_REQUEST */
export function checkDeclaredFields(
  fields: readonly DeclaredField[],
  document: Record<string, unknown>,
): void {
  const details: ErrorDetail[] = [];
  for (const field of fields) {
    const message = faultOf(field, valuesAt(document, field.name));
    if (message) details.push({ path: field.name, message });
  }
  const [first] = details;
  if (first) throw new AppError('BAD_REQUEST', `${first.path}: ${first.message}`, { details });
}

function faultOf({ type, required }: DeclaredField, found: unknown[]): string | null {
  const values = found.filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return required ? 'is required' : null;
  const { test, expected } = accepts[type];
  const isRight = values.flat().every((item) => item === null || test(item));
  return isRight ? null : `must be ${expected}, or a list of these`;
}

/** All that stands at a field's path, as the index reads it: through nested objects and lists of them, and in keys that hold a dot. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === path) return [inner];
    return path.startsWith(`${key}.`) ? valuesAt(inner, path.slice(key.length + 1)) : [];
  });
}

/** The engine's own grammar, so that what is taken is also found, sorted and ranged. */
function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && parseDate(value) !== null;
}
