import type { IndexedDocument } from '#server/engine/types.ts';
import { applyBatch } from '../../host/apply-batch.ts';
import type { OpenSettings } from '../../host/engine-calls.ts';
import type { EngineHost } from '../../host/engine-host.ts';
import { IndexLostError } from '../../host/index-lost-error.ts';
import type { CollectionHandle } from '../../indexes.ts';
import { toCallerError } from '../../registry/caller-errors.ts';
import type { Reader } from '../../search/merged-members.ts';

/** Handed to the engine at once: others' calls come in between. */
const documentsAtOnce = 64;

export interface PassingIndex {
  reader: Reader;
  close(): Promise<void>;
}

interface Asked {
  /** No collection of the record has it: less than 0. */
  id: number;
  settings: OpenSettings;
  documents: readonly IndexedDocument[];
  signal: AbortSignal;
}

/** An index at the engine's threads that nobody keeps, asked in the turns of its collection's caller. @throws AppError, the signal's reason */
export async function openPassingIndex(
  host: EngineHost,
  collection: Pick<CollectionHandle, 'for'>,
  { id, settings, documents, signal }: Asked,
): Promise<PassingIndex> {
  const index = { id, for: collection.for };
  const close = async () => {
    await host.call(index, { call: 'close' }).catch((error: unknown) => {
      // A thread that died has closed it.
      if (!(error instanceof IndexLostError)) throw error;
    });
  };
  try {
    await host.call(index, { call: 'open', settings, snapshot: null });
    for (let from = 0, version = 1; from < documents.length; from += documentsAtOnce, version += 1) {
      signal.throwIfAborted();
      const puts = documents.slice(from, from + documentsAtOnce);
      await applyBatch(host, index, { version, puts, deletes: [] });
    }
  } catch (error) {
    await close();
    throw toCallerError(error);
  }
  const read: Reader['read'] = async (_, request, readSignal) => {
    try {
      return await host.call(index, request, readSignal);
    } catch (error) {
      throw toCallerError(error);
    }
  };
  return { reader: { read }, close };
}
