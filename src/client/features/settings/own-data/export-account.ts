import { makeZip } from 'client-zip';
import type { User } from '#shared/accounts.ts';
import { exportFiles } from './export-files.ts';
import { type Client, listOwned } from './owned.ts';

export interface ExportProgress {
  /** The one that is read; null: it is looked up what there is. */
  collection: string | null;
  /** Which one of how many. */
  number: number;
  of: number;
  /** Of documents. */
  bytes: number;
}

interface Exporting {
  client: Client;
  user: User;
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

/** What the account owns, as a ZIP file. @throws what a call failed with: nothing is answered by halves */
export async function exportAccount({ client, user, signal, onProgress }: Exporting): Promise<Blob> {
  const owned = await listOwned(client, signal);
  const progress: ExportProgress = { collection: null, number: 0, of: owned.collections.length, bytes: 0 };
  const files = exportFiles({
    client,
    user,
    owned,
    signal,
    onCollection(collection) {
      Object.assign(progress, { collection, number: progress.number + 1 });
      onProgress({ ...progress });
    },
    onBytes(bytes) {
      progress.bytes += bytes;
      onProgress({ ...progress });
    },
  });
  // The browser keeps what is large on its disk.
  const archive = await new Response(makeZip(files)).blob();
  signal.throwIfAborted();
  return archive;
}
