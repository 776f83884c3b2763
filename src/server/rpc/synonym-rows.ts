import { TRPCError } from '@trpc/server';
import { AppError } from '#server/errors.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import { parseJson } from '#server/wire/json.ts';
import type { ImportResult } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import { type Synonym, synonymRow } from '#shared/synonyms.ts';

/** An upload of synonyms, read to its end: the good ones, of several with one id the last, and what is said of each row. */
export interface ReadSynonyms {
  synonyms: Synonym[];
  results: ImportResult[];
}

/**
 * @param hold hears of what is kept of the upload before it is
 * @throws AppError PAYLOAD_TOO_LARGE, UNPROCESSABLE (more rows than a collection has synonyms), what the upload and `hold` throw
 */
export async function readSynonyms(
  rows: AsyncIterable<ImportRow>,
  hold: (bytes: number) => void,
): Promise<ReadSynonyms> {
  const byId = new Map<string, Synonym>();
  const results: ImportResult[] = [];
  let characters = 0;
  for await (const row of rows) {
    const length = 'text' in row ? row.text.length : 0;
    characters += length;
    assertFewEnough(results.length + 1, characters);
    hold(length);
    try {
      const synonym = toSynonym(row);
      byId.set(synonym.id, synonym);
      results.push({ index: row.index, id: synonym.id, success: true });
    } catch (error) {
      const { code, message } = toAppError(error);
      results.push({ index: row.index, id: null, success: false, code, error: message });
    }
  }
  return { synonyms: [...byId.values()], results };
}

/** @throws AppError BAD_REQUEST */
function toSynonym(row: ImportRow): Synonym {
  if ('fault' in row) throw row.fault;
  if ('cells' in row) throw new AppError('BAD_REQUEST', 'Synonyms are uploaded as JSON');
  const { data, error } = synonymRow.safeParse(parseJson(row.text, { valuesMax: limits.otherValuesMax }));
  if (!data) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return { id: data.id ?? crypto.randomUUID(), synonyms: data.synonyms, root: data.root ?? null };
}

function assertFewEnough(rows: number, characters: number): void {
  const { synonymsMax, rulesUploadBytesMax } = limits;
  if (rows > synonymsMax)
    throw new AppError('UNPROCESSABLE', `An upload has at most ${synonymsMax} synonyms, as a collection has`);
  if (characters > rulesUploadBytesMax)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `An upload of synonyms is at most ${rulesUploadBytesMax / 1024 / 1024} MB`,
    );
}
