import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { hasMoreRows } from './count-rows.ts';
import type { FileHead } from './file-head.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportOutcome } from './read-summary.ts';
import { sendWhileSignedIn, UploadCancelled } from './send-upload.ts';
import { toUpload, type Upload } from './to-upload.ts';

export type CheckState =
  | { step: 'none' }
  | { step: 'checking'; percent: number }
  | { step: 'checked'; outcome: ImportOutcome }
  | { step: 'too many' }
  | { step: 'failed'; message: string };

/** What the server remembers of a row. Those with long ids take more: it refuses them when their turn comes. */
const rowBytes = 110;
const roundTo = 10_000;
/** Behind so many rows the server says that it has no more room. */
export const checkRowsMax = Math.floor(limits.dryRunBytesMax / rowBytes / roundTo) * roundTo;

/** A dry run: what the import would come to, with nothing written. It ends with the dialog. */
export function useCheck({ file, head, plan }: { file: File; head: FileHead; plan: ImportPlan }) {
  const [state, setState] = useState<CheckState>({ step: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (collection: Collection) => {
    const own = new AbortController();
    running.current?.abort();
    running.current = own;
    setState({ step: 'checking', percent: 0 });
    try {
      const upload = await toUpload(file, { head, plan }, own.signal);
      stopIfTooMany(upload, own, () => setState({ step: 'too many' }));
      const outcome = await sendWhileSignedIn({
        collectionId: collection.id,
        upload,
        key: null,
        signal: own.signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          setState({ step: 'checking', percent: totalBytes === 0 ? 100 : (100 * sentBytes) / totalBytes }),
      });
      setState({ step: 'checked', outcome });
    } catch (error) {
      if (own.signal.aborted || error instanceof UploadCancelled) return;
      setState({ step: 'failed', message: errorMessage(error) });
    }
  };
  /** Beside the sending, which takes far longer. */
  const stopIfTooMany = (upload: Upload, own: AbortController, tell: () => void) => {
    if (plan.content.isAll) return;
    hasMoreRows(upload, plan, { rowsMax: checkRowsMax, signal: own.signal }).then(
      (hasMore) => {
        if (!hasMore || own.signal.aborted) return;
        own.abort();
        tell();
      },
      // It was given up, or the file cannot be read any more, which the upload tells.
      () => undefined,
    );
  };
  return {
    state,
    run,
    /** Ends one under way as well. */
    forget: () => {
      running.current?.abort();
      setState({ step: 'none' });
    },
  };
}
