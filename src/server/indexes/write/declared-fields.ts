import { asPoint, parseDate } from '#server/engine/search-index.ts';
import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import { AppError } from '#server/errors.ts';
import type { DeclaredField, FieldType } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { fieldValues } from './field-values.ts';

/** A document whose declared fields are missing or of another type is refused, with its faults at once, the first hundred. */

const accepts: Record<FieldType, { test: (value: unknown) => boolean; expected: string }> = {
  string: { test: (value) => typeof value === 'string', expected: 'a string' },
  number: { test: (value) => typeof value === 'number', expected: 'a number' },
  boolean: { test: (value) => typeof value === 'boolean', expected: 'true or false' },
  date: { test: isDate, expected: 'an ISO 8601 date or Unix seconds' },
  geopoint: { test: isPoint, expected: 'a point: {"lat": -90 to 90, "lng": -180 to 180} or [lat, lng]' },
};

/** The names of declarations that were checked against before. */
const namesOf = new WeakMap<readonly DeclaredField[], string[]>();

/** @throws AppError BAD_REQUEST */
export function* checkDeclaredFields(
  fields: readonly DeclaredField[],
  document: Record<string, unknown>,
): Steps<void> {
  if (fields.length === 0) return;
  const names = namesOf.get(fields) ?? fields.map(({ name }) => name);
  namesOf.set(fields, names);
  const found = yield* fieldValues(document, names);
  const details: ErrorDetail[] = [];
  for (const field of fields) {
    const message = yield* faultOf(field, found.get(field.name) ?? []);
    if (message) details.push({ path: field.name, message });
    // Each row of an upload may have as many, and nobody is told more.
    if (details.length === limits.errorDetailsMax) break;
  }
  const [first] = details;
  if (first) throw new AppError('BAD_REQUEST', `${first.path}: ${first.message}`, { details });
}

/** To test a value, in the engine's units of work. */
const testUnits = 64;

function* faultOf({ type, required }: DeclaredField, found: unknown[]): Steps<string | null> {
  const values = found.filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return required ? 'is required' : null;
  const { test, expected } = accepts[type];
  for (const item of type === 'geopoint' ? values.flatMap(pointsOf) : values.flat()) {
    if (item !== null && !test(item)) return `must be ${expected}, or a list of these`;
    if (isPauseDue(testUnits)) yield;
  }
  return null;
}

function isPoint(value: unknown): boolean {
  return asPoint(value) !== null;
}

/** A point may be a list itself, of numbers. */
function pointsOf(value: unknown): unknown[] {
  const isList =
    Array.isArray(value) && (value.length === 0 || value.some((item) => typeof item === 'object'));
  return isList ? value : [value];
}

/** The engine's own grammar, so that what is taken is also found, sorted and ranged. */
function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && parseDate(value) !== null;
}
