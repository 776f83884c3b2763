import { loopTurns } from '#server/admission/loop-turns.ts';
import { AppError } from '#server/errors.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { ByteBudget, Grant } from './byte-budget.ts';
import { type ParsedDocument, parseId, parseInSteps } from './document.ts';
import { stepsInTurns } from './steps-in-turns.ts';

/**
 * Large batches cost less each, small ones keep the database and the engine free for everybody else in between: measured, 128 films are
 * about 20 ms of either.
 */
const batchRowsMax = 128;
const batchBytesMax = 2 * 1024 * 1024;
/** What comes after as much work has a turn of its own. */
const sliceMs = 2;

export interface ImportBatch {
  rows: ({ index: number; parsed: ParsedDocument } | { index: number; id: string | null; fault: AppError })[];
  /** Text and vectors of its rows. */
  bytes: number;
  /** Of these bytes. Whoever is given the batch releases it. */
  grant: Grant;
}

/** An upload's rows in batches, read as fast as they are taken and as the budget of all imports allows. @throws the signal's reason */
export async function* importBatches(
  { collection, budget }: { collection: CollectionHandle; budget: ByteBudget },
  rows: AsyncIterable<ImportRow>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportBatch> {
  const source = rows[Symbol.asyncIterator]();
  let batch: ImportBatch | null = null;
  let reading: Promise<IteratorResult<ImportRow>> | null = null;
  const whole = (of: ImportBatch): ImportBatch => {
    of.grant.shrinkTo(of.bytes);
    batch = null;
    return of;
  };
  try {
    let sliceEnd = performance.now() + sliceMs;
    for (;;) {
      reading ??= source.next();
      const read: IteratorResult<ImportRow> | null = batch
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
      batch.rows.push(await parse(collection, read.value));
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
  source: AsyncIterator<ImportRow>,
  reading: Promise<IteratorResult<ImportRow>> | null,
): Promise<void> {
  const returned = Promise.resolve(source.return?.());
  if (reading === null) await returned;
  else for (const ending of [reading, returned]) ending.catch(() => undefined);
}

/** Null: somebody waits for the budget, and the row has not arrived. */
function unlessWanted(
  row: Promise<IteratorResult<ImportRow>>,
  budget: ByteBudget,
): Promise<IteratorResult<ImportRow> | null> {
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

function bytesOf(row: ImportRow, { dimension }: CollectionHandle): number {
  return ('text' in row ? row.text.length * 2 : 0) + dimension * 4;
}

async function parse(collection: CollectionHandle, row: ImportRow): Promise<ImportBatch['rows'][number]> {
  const { index } = row;
  if ('fault' in row) return { index, id: null, fault: row.fault };
  let value: unknown;
  try {
    value = await parseInTurns(row.text, () => loopTurns.next(collection.for));
    return { index, parsed: await stepsInTurns(collection.for, parseInSteps(collection, value)) };
  } catch (error) {
    if (error instanceof AppError) return { index, id: idOf(value), fault: error };
    throw error;
  }
}

/** The id that a refused row bears, if it bears one that can be told. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  try {
    return parseId(value.id);
  } catch {
    // Not an id: the row's own fault says so.
    return null;
  }
}
