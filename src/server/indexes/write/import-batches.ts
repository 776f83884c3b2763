import { loopTurns } from '#server/admission/loop-turns.ts';
import { AppError } from '#server/errors.ts';
import { charactersOf, documentCharactersOf, type ImportRow } from '#server/wire/import-row.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import type { WritableCollection } from '../indexes.ts';
import { passageLimitsOf } from '../passages/passage-limits.ts';
import { passagesAtMost } from '../passages/passages-of.ts';
import type { ByteBudget, Grant } from './byte-budget.ts';
import { generateId, type ParsedDocument, parseId, parseInSteps } from './document.ts';
import { stepsInTurns } from './steps-in-turns.ts';
import { tableDocument } from './table-document.ts';

/**
 * Large batches cost less each, small ones keep the database and the engine free for everybody else in between: measured, 128 films are
 * about 20 ms of either.
 */
const batchRowsMax = 128;
const batchBytesMax = 2 * 1024 * 1024;
/** What comes after as much work has a turn of its own. */
const sliceMs = 2;

/** Where a row stands, and the hash of the upload up to it, if there is one. */
interface RowPlace {
  index: number;
  line?: number;
  digest?: Uint8Array;
}

export type BatchRow = RowPlace &
  ({ parsed: ParsedDocument; isIdMade: boolean } | { id: string | null; fault: AppError });

/** A row of an upload, which may be known by its hash. */
export type UploadedRow = ImportRow & Pick<RowPlace, 'digest'>;

export interface ImportBatch {
  rows: BatchRow[];
  /** Text and vectors of its rows. */
  bytes: number;
  /** Of these bytes. Whoever is given the batch releases it. */
  grant: Grant;
}

/** An upload's rows in batches, read as fast as they are taken and as the budget of all imports allows. @throws the signal's reason */
export async function* importBatches(
  { collection, budget, idOf }: { budget: ByteBudget } & RowReading,
  rows: AsyncIterable<UploadedRow>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportBatch> {
  const source = rows[Symbol.asyncIterator]();
  let batch: ImportBatch | null = null;
  let reading: Promise<IteratorResult<UploadedRow>> | null = null;
  const whole = (of: ImportBatch): ImportBatch => {
    of.grant.shrinkTo(of.bytes);
    batch = null;
    return of;
  };
  try {
    let sliceEnd = performance.now() + sliceMs;
    for (;;) {
      reading ??= source.next();
      const read: IteratorResult<UploadedRow> | null = batch
        ? await unlessWanted(reading, budget)
        : await reading;
      if (read === null) {
        // Others wait, and the sender is silent.
        if (batch) yield whole(batch);
        continue;
      }
      reading = null;
      if (read.done) break;
      signal?.throwIfAborted();
      const bytes = bytesOf(read.value, collection);
      if (batch !== null && batch.bytes + bytes > batchBytesMax) yield whole(batch);
      batch ??= {
        rows: [],
        bytes: 0,
        grant: await budget.take(collection.for, Math.max(bytes, batchBytesMax), signal),
      };
      batch.rows.push(await readRow({ collection, idOf }, read.value));
      batch.bytes += bytes;
      if (batch.rows.length >= batchRowsMax) yield whole(batch);
      if (performance.now() > sliceEnd) {
        await loopTurns.next(collection.for);
        sliceEnd = performance.now() + sliceMs;
      }
    }
    if (batch) yield whole(batch);
  } finally {
    batch?.grant.release();
    await giveUp(source, reading);
  }
}

/** A row that is still waited for comes to an end by itself: its sender is cut off. */
async function giveUp(
  source: AsyncIterator<UploadedRow>,
  reading: Promise<IteratorResult<UploadedRow>> | null,
): Promise<void> {
  const returned = Promise.resolve(source.return?.());
  if (reading === null) await returned;
  else for (const ending of [reading, returned]) ending.catch(() => undefined);
}

/** Null: somebody waits for the budget, and the row has not arrived. */
function unlessWanted(
  row: Promise<IteratorResult<UploadedRow>>,
  budget: ByteBudget,
): Promise<IteratorResult<UploadedRow> | null> {
  return new Promise((resolve, reject) => {
    const stop = budget.onWanted(() => {
      stop();
      resolve(null);
    });
    row.then(
      (read) => {
        stop();
        resolve(read);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

/** At most: not all that was sent is embedded. */
function bytesOf(row: ImportRow, { dimension, metadata }: WritableCollection): number {
  const passages = passagesAtMost(charactersOf(row), passageLimitsOf(metadata));
  return documentCharactersOf(row) * 2 + passages * dimension * 4;
}

export interface RowReading {
  collection: WritableCollection;
  /** Of a row that has none; null: any that is free. */
  idOf?: ((row: number) => string | null) | undefined;
}

/** A row as a document, or what is wrong with it. */
export async function readRow({ collection, idOf }: RowReading, row: UploadedRow): Promise<BatchRow> {
  const { index, line, digest } = row;
  const place = { index, ...(line !== undefined && { line }), ...(digest && { digest }) };
  if ('fault' in row) return { ...place, id: null, fault: row.fault };
  let value: unknown;
  let isIdMade = false;
  const makeId = () => {
    isIdMade = true;
    return idOf?.(index) ?? generateId();
  };
  try {
    value =
      'cells' in row
        ? tableDocument(collection, row)
        : await parseInTurns(row.text, () => loopTurns.next(collection.for));
    const parsed = await stepsInTurns(collection.for, parseInSteps(collection, value, makeId));
    return { ...place, parsed, isIdMade };
  } catch (error) {
    if (error instanceof AppError) return { ...place, id: idIn(value), fault: error };
    throw error;
  }
}

/** The id that a refused row bears, if it bears one that can be told. */
function idIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  try {
    return parseId(value.id);
  } catch {
    // Not an id: the row's own fault says so.
    return null;
  }
}
