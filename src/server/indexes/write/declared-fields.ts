import { AppError } from '#server/errors.ts';
import type { DeclaredField, FieldType } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';

/** Declared fields are a promise to whoever filters and sorts by them: a document that breaks it is refused, with every fault at once. */

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

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
    const message = faultOf(field, valueAt(document, field.name));
    if (message) details.push({ path: field.name, message });
  }
  const [first] = details;
  if (first) throw new AppError('BAD_REQUEST', `${first.path}: ${first.message}`, { details });
}

function faultOf({ type, required }: DeclaredField, value: unknown): string | null {
  if (value === undefined || value === null) return required ? 'is required' : null;
  const { test, expected } = accepts[type];
  const isRight = Array.isArray(value) ? value.every((item) => item === null || test(item)) : test(value);
  return isRight ? null : `must be ${expected}, or a list of these`;
}

/** A field's name is tried as it stands, then as a path into nested objects. */
export function valueAt(document: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(document, name)) return document[name];
  let value: unknown = document;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Object.entries(value).find(([key]) => key === step)?.[1];
  }
  return value;
}

function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    typeof value === 'string' &&
    isoDate.test(value) &&
    !Number.isNaN(Date.parse(value.replace(' ', 'T'))) &&
    isDayOfMonth(value)
  );
}

/** `Date.parse` takes the 30th of February for the 1st of March. */
function isDayOfMonth(date: string): boolean {
  const day = date.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
