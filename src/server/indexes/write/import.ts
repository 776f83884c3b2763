import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import { parseJson } from '#server/wire/json.ts';
import type { ImportResult } from '#shared/documents.ts';
import { errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, Upload } from '../indexes.ts';
import { type ParsedDocument, parseDocument, parseId } from './document.ts';
import type { Ingest, RowOutcome } from './ingest.ts';

/**
 * Large batches cost less each, small ones keep the database and the engine free for everybody else in between: measured, 128 films are
 * about 20 ms of either.
 */
const batchRowsMax = 128;
const batchBytesMax = 2 * 1024 * 1024;
/** One batch is embedded, one written, one applied, one waits. */
const batchesInFlightMax = 4;
const sliceMs = 8;

interface ImportTarget {
  ingest: Ingest;
  log: Log;
  collection: CollectionHandle;
}

interface ImportBatch {
  rows: ({ index: number; parsed: ParsedDocument } | { index: number; id: string | null; fault: AppError })[];
  /** Text and vectors of its rows. */
  bytes: number;
}

interface WrittenBatch extends Pick<ImportBatch, 'rows'> {
  parsed: ParsedDocument[];
  /** Settles when its turn has come; its outcomes come with the commit. */
  written: Promise<{ outcomes: Promise<RowOutcome[]> }>;
}

/**
 * An upload of any size: read, embedded and written batch by batch, the next one embedded while the last is written. Rows are read only
 * as fast as they are written, so that no more than `limits.importBufferBytesMax` are ever held.
 * @throws the signal's reason
 */
export async function* importRows(
  target: ImportTarget,
  { action, rows, assertAllowed }: Upload,
  signal?: AbortSignal,
): AsyncGenerator<ImportResult> {
  const { ingest, collection } = target;
  const inFlight: { bytes: number; results: Promise<ImportResult[]> }[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  for await (const batch of batches(collection, rows, signal)) {
    const held = () => inFlight.reduce((sum, { bytes }) => sum + bytes, batch.bytes);
    while (
      inFlight.length >= batchesInFlightMax ||
      (inFlight.length > 0 && held() > limits.importBufferBytesMax / 2)
    ) {
      yield* (await inFlight.shift()?.results) ?? [];
    }
    const parsed = batch.rows.flatMap((row) => ('parsed' in row ? [row.parsed] : []));
    const prepared = (async () => {
      await assertAllowed?.();
      return ingest.prepare(collection, { action, parsed }, signal);
    })();
    const before = begun;
    const written = (async () => {
      const [ready] = await Promise.all([prepared, before]);
      signal?.throwIfAborted();
      // Asked once more in its turn, for which it may have waited long.
      const commit = async () => {
        await assertAllowed?.();
        return ready.commit();
      };
      return { outcomes: ingest.write({ collection, commit }) };
    })();
    // The next batch follows once this one has its turn, or never gets one.
    begun = Promise.allSettled([before, written]).then(() => undefined);
    const results = resultsOf(target, { ...batch, parsed, written }, signal);
    // An import that is given up leaves its last batches to end by themselves.
    results.catch(() => undefined);
    inFlight.push({ bytes: batch.bytes, results });
  }
  for (const { results } of inFlight) yield* await results;
}

async function* batches(
  collection: CollectionHandle,
  rows: AsyncIterable<ImportRow>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportBatch> {
  let batch: ImportBatch = { rows: [], bytes: 0 };
  let sliceEnd = performance.now() + sliceMs;
  for await (const row of rows) {
    signal?.throwIfAborted();
    const bytes = ('text' in row ? row.text.length * 2 : 0) + collection.dimension * 4;
    if (batch.rows.length > 0 && batch.bytes + bytes > batchBytesMax) {
      yield batch;
      batch = { rows: [], bytes: 0 };
    }
    batch.rows.push(parse(collection, row));
    batch.bytes += bytes;
    if (batch.rows.length >= batchRowsMax) {
      yield batch;
      batch = { rows: [], bytes: 0 };
    }
    if (performance.now() > sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
  }
  if (batch.rows.length > 0) yield batch;
}

function parse(collection: CollectionHandle, row: ImportRow): ImportBatch['rows'][number] {
  const { index } = row;
  if ('fault' in row) return { index, id: null, fault: row.fault };
  let value: unknown;
  try {
    value = parseJson(row.text);
    return { index, parsed: parseDocument(collection, value) };
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

/** A batch that cannot be written at all is each of its rows' failure: what came before it is in and was reported so. */
async function resultsOf(
  { log, collection }: ImportTarget,
  { rows, parsed, written }: WrittenBatch,
  signal: AbortSignal | undefined,
): Promise<ImportResult[]> {
  let outcomes: RowOutcome[];
  try {
    outcomes = await (await written).outcomes;
  } catch (cause) {
    signal?.throwIfAborted();
    const error =
      cause instanceof AppError
        ? cause
        : new AppError('INTERNAL', 'Something went wrong on our side', { cause });
    const { level } = errorTable[error.code];
    log[level]('an import batch failed', { collectionId: collection.id, rows: parsed.length, error: cause });
    outcomes = parsed.map(({ document }) => ({ id: document.id, error }));
  }
  let next = 0;
  return rows.map((row) => {
    if ('fault' in row) return failure(row.index, row.id, row.fault);
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('an import batch lost a row');
    return 'error' in outcome
      ? failure(row.index, outcome.id, outcome.error)
      : { index: row.index, id: outcome.document.id, success: true };
  });
}

function failure(index: number, id: string | null, error: AppError): ImportResult {
  return { index, id, success: false, code: error.code, error: error.message };
}
