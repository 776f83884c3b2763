import { z } from 'zod';
import type { ReadRows } from '#server/wire/import-row.ts';

/** The rows of an upload as an input. Only a caller in this process can pass them: nothing that comes out of JSON is a function. */
export function rowsInput(of: 'documents' | 'judgements' | 'synonyms') {
  return z.custom<ReadRows>(
    (value) => typeof value === 'function',
    `upload ${of} to the REST endpoint …/${of}/import`,
  );
}
