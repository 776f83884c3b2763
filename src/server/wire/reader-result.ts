import type { AppError } from '#server/errors.ts';
import { brokenJson, checkValue, refuse } from './json.ts';
import type { JsonReader } from './json-reader.ts';
import type { ReadFault } from './read-state.ts';

/** What was read, once all of it was. @throws AppError BAD_REQUEST */
export function resultOf(reader: JsonReader): unknown {
  reader.end();
  if (reader.fault !== null) throw toError(reader.fault);
  const { value } = reader;
  if (reader.mayBeForbidden) checkValue(value);
  return value;
}

export function toError({ kind, what, ...place }: ReadFault): AppError {
  return kind === 'limit' ? refuse({}, what, place) : brokenJson({}, place, what);
}
