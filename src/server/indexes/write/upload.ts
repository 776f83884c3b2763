import { loopTurns } from '#server/admission/loop-turns.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import type { ImportResult } from '#shared/documents.ts';
import type { ImportRecords } from '../imports/import-records.ts';
import { anotherBody, RepeatedRows } from '../imports/repeated-rows.ts';
import { RowChain } from '../imports/row-chain.ts';
import type { RunningImport } from '../imports/running-import.ts';
import type { Upload, WritableCollection } from '../indexes.ts';
import { unlessAborted } from '../registry/unless-aborted.ts';
import { type ImportState, importRows } from './import.ts';
import { readRow, type UploadedRow } from './import-batches.ts';
import { resultOf } from './row-result.ts';

type ImportParts = Omit<Parameters<typeof importRows>[0], 'collection'> & {
  record: Pick<RecordStore, 'as' | 'assertWritable'>;
  records: Pick<ImportRecords, 'runningOf' | 'close'>;
};

const sliceMs = 8;

/**
 * Imports an upload and keeps its progress. Of one that was sent before with the same key, the rows that are done are read once more and
 * answered as they were, and the others go in.
 * @throws AppError CONFLICT (canceled, or not the upload that was sent before), the signal's reason
 */
export async function* importUpload(
  parts: ImportParts,
  collection: WritableCollection,
  { action, rows, assertAllowed, opened }: Upload,
  signal?: AbortSignal,
): AsyncGenerator<ImportResult> {
  const running = opened ? parts.records.runningOf(opened) : null;
  const state: ImportState = { stop: null, isStopTold: false, settled: Promise.resolve() };
  const until = running?.signal ?? signal;
  let ending: unknown = new Error('given up');
  try {
    // Each batch asks again; here it is asked before anything of the upload is read.
    await parts.record.assertWritable();
    const source = iteratorOf(running?.hasKey ? hashed(rows, running) : rows, until);
    if (running?.hasKey) yield* repeat(parts, { collection, source, running });
    const left = { action, rows: { [Symbol.asyncIterator]: () => source }, assertAllowed, running };
    for await (const result of importRows({ ...parts, collection }, left, { state, signal: until })) {
      running?.note(result);
      yield result;
    }
    // Without a key the upload was read to its end, whatever stopped its rows.
    ending = running?.hasKey ? state.stop : null;
  } catch (error) {
    ending = error;
    throw error;
  } finally {
    if (running) {
      await state.settled;
      await parts.records.close(running, ending);
    }
  }
}

/** Whoever waits for a row is told when nobody wants it any more, however silent its sender is. */
function iteratorOf(
  rows: AsyncIterable<UploadedRow>,
  signal: AbortSignal | undefined,
): AsyncIterator<UploadedRow> {
  const source = rows[Symbol.asyncIterator]();
  return {
    next: () => unlessAborted(source.next(), signal),
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
  };
}

async function* hashed(
  rows: AsyncIterable<ImportRow>,
  { request }: RunningImport,
): AsyncGenerator<UploadedRow> {
  const chain = new RowChain(request);
  for await (const row of rows) yield { ...row, digest: chain.next(row) };
}

interface Repeated {
  collection: WritableCollection;
  source: AsyncIterator<UploadedRow>;
  running: RunningImport;
}

/** The results of the rows that are done. Whoever sends others hears so before anything is written. @throws AppError CONFLICT */
async function* repeat(
  { record }: ImportParts,
  { collection, source, running }: Repeated,
): AsyncGenerator<ImportResult> {
  const { rows: done, digest } = running;
  const stored = new RepeatedRows(record.as(collection.for.tenant).sql, running.id);
  const idOf = (row: number) => running.idOf(row);
  let isOver = false;
  try {
    let sliceEnd = performance.now() + sliceMs;
    for (let count = 0; count < done; count += 1) {
      const next = await source.next();
      if (next.done) throw anotherBody();
      const row = await readRow({ collection, idOf }, next.value);
      if ('fault' in row) yield resultOf(row, null);
      else {
        const { id } = row.parsed.document;
        const error = await stored.takeFault(row.index);
        yield resultOf(row, error ? { id, error } : { id, created: false });
      }
      const isLast = count === done - 1;
      if (isLast && Buffer.compare(row.digest ?? new Uint8Array(0), digest ?? new Uint8Array(0)) !== 0)
        throw anotherBody();
      if (performance.now() > sliceEnd) {
        await loopTurns.next(collection.for);
        sliceEnd = performance.now() + sliceMs;
      }
    }
    if (running.isWhole && !(await source.next()).done) throw anotherBody();
    isOver = true;
  } finally {
    // A row that is still waited for comes to an end by itself.
    if (!isOver) source.return?.().catch(() => undefined);
  }
}
