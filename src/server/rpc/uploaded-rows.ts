import { TRPCError } from '@trpc/server';
import type { ZodType } from 'zod';
import { AppError } from '#server/errors.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import { parseJson } from '#server/wire/json.ts';
import type { ImportResult } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';

/** What an upload's rows are, and how many there may be. */
interface UploadedKind<Row, Thing> {
  /** To people, as several: `synonyms`. */
  called: string;
  most: number;
  schema: ZodType<Row>;
  toThing(row: Row): Thing;
  /** Of several that have one, the last counts. */
  keyOf(thing: Thing): string;
  /** What the row's result says of it; null: it has no id. */
  idOf(thing: Thing): string | null;
}

interface Reading {
  /** Hears of what is kept of the upload before it is. */
  hold: (bytes: number) => void;
  /** Waited for between parts, while others have their turns: what has come already is read without a pause otherwise. */
  turn: () => Promise<void>;
}

/** Characters that are read without a pause. */
const readAtOnce = 16_384;

/**
 * An upload of what a collection has beside its documents, read to its end: the good things, and what is said of each row.
 * @throws AppError PAYLOAD_TOO_LARGE, UNPROCESSABLE (more rows than a collection has of them), what the upload and `hold` throw
 */
export async function readUploaded<Row, Thing>(
  rows: AsyncIterable<ImportRow>,
  kind: UploadedKind<Row, Thing>,
  { hold, turn }: Reading,
): Promise<{ things: Thing[]; results: ImportResult[] }> {
  const byKey = new Map<string, Thing>();
  const results: ImportResult[] = [];
  let characters = 0;
  let sinceTurn = 0;
  for await (const row of rows) {
    const length = 'text' in row ? row.text.length : 0;
    characters += length;
    sinceTurn += length;
    if (sinceTurn >= readAtOnce) {
      await turn();
      sinceTurn = 0;
    }
    assertFewEnough(kind, results.length + 1, characters);
    hold(length);
    try {
      const thing = kind.toThing(parsed(row, kind));
      byKey.set(kind.keyOf(thing), thing);
      results.push({ index: row.index, id: kind.idOf(thing), success: true });
    } catch (error) {
      const { code, message } = toAppError(error);
      results.push({ index: row.index, id: null, success: false, code, error: message });
    }
  }
  return { things: [...byKey.values()], results };
}

/** @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE */
function parsed<Row>(row: ImportRow, { schema, called }: { schema: ZodType<Row>; called: string }): Row {
  if ('fault' in row) throw row.fault;
  if ('cells' in row)
    throw new AppError('BAD_REQUEST', `${called[0]?.toUpperCase()}${called.slice(1)} are uploaded as JSON`);
  if (row.text.length > limits.uploadedRowCharactersMax)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `A row of ${called} has at most ${limits.uploadedRowCharactersMax} characters`,
    );
  const { data, error } = schema.safeParse(parseJson(row.text, { valuesMax: limits.otherValuesMax }));
  if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return data;
}

function assertFewEnough(
  { called, most }: { called: string; most: number },
  rows: number,
  characters: number,
): void {
  const { rulesUploadBytesMax } = limits;
  if (rows > most)
    throw new AppError('UNPROCESSABLE', `An upload has at most ${most} ${called}, as a collection has`);
  if (characters > rulesUploadBytesMax)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `An upload of ${called} is at most ${rulesUploadBytesMax / 1024 / 1024} MB`,
    );
}
