import type { Operation } from '../catalogue.ts';
import { property } from '../input-schema.ts';

/** Tables, with a header line. */
export const tableTypes: ReadonlySet<string> = new Set(['text/csv', 'text/tab-separated-values']);

const jsonTypes = ['application/json', 'application/x-ndjson'];

/** What an upload of rows may be: a table where its columns can be mapped. */
export function uploadTypesOf(operation: Operation): readonly string[] {
  return property(operation, 'mapping') === undefined ? jsonTypes : [...jsonTypes, ...tableTypes];
}

/** Whether it can be sent again with a key. */
export function takesKey(operation: Operation): boolean {
  return property(operation, 'idempotency_key') !== undefined;
}
