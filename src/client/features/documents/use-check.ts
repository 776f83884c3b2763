import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import type { Collection } from '#shared/collections.ts';
import type { FileHead } from './file-head.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportOutcome } from './read-summary.ts';
import { sendWhileSignedIn, UploadCancelled } from './send-upload.ts';
import { toUpload } from './to-upload.ts';

export type CheckState =
  | { step: 'none' }
  | { step: 'checking'; percent: number }
  | { step: 'checked'; outcome: ImportOutcome }
  | { step: 'failed'; message: string };

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
