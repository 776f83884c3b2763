import type { IndexedDocument, IndexStats, WriteBatch } from '#server/engine/types.ts';
import type { AskedCollection, EngineHost } from './engine-host.ts';
import { packBatch } from './packed-batch.ts';

/**
 * Some three films: about a millisecond of the engine's thread, which a search then waits for. Measured by `scripts/measure-search.mjs` on
 * a busy machine: searches during an import take 3 times as long as idle ones, 7 times with slices of twice the size, 49 times with
 * whole batches; the import is not slower.
 */
const sliceCharactersMax = 2_048;
const sliceDeletesMax = 4;

/**
 * Hands a batch to the engine in slices. All of them are queued before this returns its promise, so batches that are handed over one
 * after the other keep their order. A search between two slices sees the documents of the first: each document is old or new, never half.
 * When a slice fails the others may have been applied, so the index must not be used any more.
 */
export async function applyBatch(
  host: EngineHost,
  collection: AskedCollection,
  batch: WriteBatch,
): Promise<IndexStats> {
  const slices = slicesOf(batch);
  const applied = slices.map((slice) => host.call(collection, { call: 'apply', batch: packBatch(slice) }));
  const stats = (await Promise.all(applied)).at(-1);
  if (!stats) throw new Error('a batch had no slices');
  return stats;
}

/** Deletions come first, as in a whole batch. */
function slicesOf({ version, puts, deletes }: WriteBatch): WriteBatch[] {
  const slices: WriteBatch[] = [];
  for (let start = 0; start < deletes.length; start += sliceDeletesMax) {
    slices.push({ version, puts: [], deletes: deletes.slice(start, start + sliceDeletesMax) });
  }
  let slice: IndexedDocument[] = [];
  let characters = 0;
  for (const put of puts) {
    if (slice.length > 0 && characters + put.source.length > sliceCharactersMax) {
      slices.push({ version, puts: slice, deletes: [] });
      slice = [];
      characters = 0;
    }
    slice.push(put);
    characters += put.source.length;
  }
  if (slice.length > 0 || slices.length === 0) slices.push({ version, puts: slice, deletes: [] });
  return slices;
}
