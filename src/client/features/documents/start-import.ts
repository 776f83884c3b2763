import type { QueryClient } from '@tanstack/react-query';
import { errorMessage } from '#client/lib/error-message.ts';
import { addImportJob, removeImportJob, updateImportJob } from '#client/lib/imports/import-jobs.ts';
import { invalidate } from '#client/lib/invalidate.ts';
import { randomKey } from '#client/lib/random-key.ts';
import { countRows } from './count-rows.ts';
import type { FileHead } from './file-head.ts';
import type { ImportPlan } from './import-plan.ts';
import { uploadKey } from './merge-imports.ts';
import type { ImportOutcome } from './read-summary.ts';
import type { Rejects } from './rejects.ts';
import { sendWhileSignedIn, UploadCancelled } from './send-upload.ts';
import { toUpload, type Upload } from './to-upload.ts';

export interface NewImport {
  file: File;
  head: FileHead;
  plan: ImportPlan;
  collection: { id: number; name: string };
}

interface Surroundings {
  userId: number;
  queryClient: QueryClient;
  /** Shows rows that were refused. */
  openRejects: (rejects: Rejects) => void;
}

/** Sends a file from here on, whatever page the reader goes to. `key`: of the same one, whose connection was lost. */
export function startImport(given: NewImport, around: Surroundings, key = newKey(given.file)): void {
  const { file, head, plan, collection } = given;
  const cancelling = new AbortController();
  const { signal } = cancelling;
  addImportJob({
    key,
    userId: around.userId,
    label: file.name,
    collection,
    rowsTotal: plan.content.isAll ? plan.content.rows.length : null,
    upload: { sentBytes: 0, totalBytes: file.size },
    rows: 0,
    failed: 0,
    startedAt: Date.now(),
    state: 'running',
    message: null,
    query: '',
    cancel: () => cancelling.abort(),
  });
  const run = async () => {
    const upload = await toUpload(file, { head, plan }, signal);
    countBeside(upload, { key, plan, signal });
    const outcome = await sendWhileSignedIn({
      collectionId: collection.id,
      upload,
      key,
      signal,
      onProgress: (progress) => updateImportJob(key, { upload: progress }),
    });
    const { succeeded, failed, repeats } = outcome;
    const rejects: Rejects = { collection, file, head, plan, upload, outcome };
    updateImportJob(key, {
      state: succeeded > 0 || failed === 0 ? 'done' : 'failed',
      rows: succeeded + failed,
      rowsTotal: succeeded + failed,
      failed,
      repeats,
      message: faultWords(outcome.faults),
      ...(outcome.failures.length > 0 && { showRejects: () => around.openRejects(rejects) }),
    });
  };
  run()
    .catch((error: unknown) => {
      const isCancelled = error instanceof UploadCancelled || signal.aborted;
      updateImportJob(key, {
        state: isCancelled ? 'cancelled' : 'failed',
        message: isCancelled ? null : errorMessage(error),
        retry: () => {
          removeImportJob(key);
          // A key that was cancelled is used up; with that of a lost connection it goes on where it was.
          startImport(given, around, isCancelled ? newKey(file) : key);
        },
      });
    })
    .finally(() => invalidate(around.queryClient, 'documents'));
}

/** The first is the most frequent. */
function faultWords(faults: ImportOutcome['faults']): string | null {
  const [first, ...others] = faults;
  if (!first || others.length === 0) return first?.message ?? null;
  if (first.count > 1) return `Most often: ${first.message}`;
  return `${first.message}, and ${others.length === 1 ? 'another cause' : `${others.length} other causes`}`;
}

const newKey = (file: File) => uploadKey(file.name, randomKey());

interface Counted {
  key: string;
  plan: ImportPlan;
  signal: AbortSignal;
}

/** The progress is told by it, once it is known; the upload does not wait for it. */
function countBeside(upload: Upload, { key, plan, signal }: Counted): void {
  if (plan.content.isAll) return;
  countRows(upload, plan, signal).then(
    (rowsTotal) => updateImportJob(key, { rowsTotal }),
    // It was cancelled, or the file cannot be read any more, which the upload tells.
    () => undefined,
  );
}
