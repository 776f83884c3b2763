import { jsonLanguage } from '@codemirror/lang-json';
import type { DeclaredField } from '#shared/collections.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { valuesAt } from '../../values-at.ts';
import { placeOf } from './place-of.ts';

/** What is wrong with a draft; `from` and `to` are characters of its text. */
export interface DraftFault {
  message: string;
  from: number;
  to: number;
}

interface CheckedDraft {
  /** Null: its text is no JSON object. */
  document: Record<string, JsonValue> | null;
  faults: DraftFault[];
}

interface Rules {
  declared: readonly DeclaredField[];
  /** The document's; null: it is a new one. */
  id: string | null;
}

/** Reads a document as it is being written, and checks it by what is declared. The server has the last word. */
export function checkDraft(text: string, rules: Rules): CheckedDraft {
  const read = readJson(text);
  if ('fault' in read) return { document: null, faults: [read.fault] };
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      document: null,
      faults: [{ message: 'A document is a JSON object: {…}', from: 0, to: text.length }],
    };
  }
  return { document: value, faults: faultsAt(text, detailsOf(value, rules)) };
}

/** What the server or the check found, where it stands in the text. */
export function faultsAt(text: string, details: readonly ErrorDetail[]): DraftFault[] {
  return details.map(({ path, message }) => ({ message: `${path} ${message}`, ...placeOf(text, path) }));
}

function readJson(text: string): { value: JsonValue } | { fault: DraftFault } {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    // Browsers say it in words of their own, and not all of them say where.
    return { fault: syntaxFault(text) };
  }
}

function syntaxFault(text: string): DraftFault {
  if (text.trim() === '') return { message: 'A document is a JSON object: {…}', from: 0, to: 0 };
  let at = text.trimEnd().length;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at = Math.min(at, from);
    },
  });
  const found = text.slice(at).trimStart().slice(0, 1);
  const message = found === '' ? 'The JSON ends too early' : `This is not JSON at “${found}”`;
  return { message, from: Math.min(at, text.length), to: Math.min(at + 1, text.length) };
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
