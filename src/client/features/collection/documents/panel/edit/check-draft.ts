import { type JsonFault, readJson } from '#client/components/code/json-faults.ts';
import type { DeclaredField } from '#shared/collections.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { valuesAt } from '../../values-at.ts';
import { placeOf } from './place-of.ts';

interface CheckedDraft {
  /** Null: its text is no JSON object. */
  document: Record<string, JsonValue> | null;
  faults: JsonFault[];
}

interface Rules {
  declared: readonly DeclaredField[];
  /** The document's; null: it is a new one. */
  id: string | null;
}

const anObject = 'A document is a JSON object: {…}';

/** Reads a document as it is being written, and checks it by what is declared. The server has the last word. */
export function checkDraft(text: string, rules: Rules): CheckedDraft {
  const read = readJson(text, anObject);
  if ('fault' in read) return { document: null, faults: [read.fault] };
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { document: null, faults: [{ message: anObject, from: 0, to: text.length }] };
  }
  return { document: value, faults: faultsAt(text, detailsOf(value, rules)) };
}

/** What the server or the check found, where it stands in the text. */
export function faultsAt(text: string, details: readonly ErrorDetail[]): JsonFault[] {
  return details.map(({ path, message }) => ({ message: `${path} ${message}`, ...placeOf(text, path) }));
}

function detailsOf(document: Record<string, JsonValue>, { declared, id }: Rules): ErrorDetail[] {
  const own = document['id'];
  const isOther = id !== null && own !== undefined && own !== null && String(own) !== id;
  return [
    ...(isOther ? [{ path: 'id', message: `cannot be changed: it is "${id}"` }] : []),
    ...declared.flatMap((field) => {
      const message = faultOf(field, valuesAt(document, field.name));
      return message === null ? [] : [{ path: field.name, message }];
    }),
  ];
}

const expected = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: 'an ISO 8601 date or Unix seconds',
} as const;

/** Points and the grammar of dates are the server's alone to judge. */
function faultOf({ type, required }: DeclaredField, found: JsonValue[]): string | null {
  const values = found.filter((value) => value !== null);
  if (values.length === 0) return required ? 'is required' : null;
  if (type === 'geopoint') return null;
  const isOf = (value: JsonValue) =>
    type === 'date' ? typeof value === 'string' || typeof value === 'number' : typeof value === type;
  return values.every(isOf) ? null : `must be ${expected[type]}, or a list of these`;
}
