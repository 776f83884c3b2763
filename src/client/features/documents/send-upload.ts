import { RestError } from '#client/lib/rest-error.ts';
import { bringSessionBack } from '#client/lib/session-keeper.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { type ImportOutcome, readSummary } from './read-summary.ts';
import type { Upload } from './to-upload.ts';

interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

interface UploadRequest {
  collectionId: number;
  upload: Upload;
  /** By which it can be asked how far it is; null: a dry run. */
  key: string | null;
  signal: AbortSignal;
  onProgress: (progress: UploadProgress) => void;
}

/** The reader stopped the upload. */
export class UploadCancelled extends Error {}

/**
 * Sends a file to the import route. XMLHttpRequest, because only it tells how much has really been sent.
 * A file none of whose rows could be stored has an outcome too (400 with results), not an error.
 * @throws RestError with the server's sentence · UploadCancelled · Error for a lost connection
 */
export function sendUpload({
  collectionId,
  upload,
  key,
  signal,
  onProgress,
}: UploadRequest): Promise<ImportOutcome> {
  const { body, mediaType, isGzip, parameters } = upload;
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new UploadCancelled('The upload was cancelled.'));
    // A request that is aborted before it is sent tells nobody.
    if (signal.aborted) return cancel();
    const request = new XMLHttpRequest();
    const { method, path } = restCall('POST /api/collections/{name}/documents/import', {
      name: collectionId,
    });
    const query = new URLSearchParams({ ...parameters, ...(key === null && { dry_run: 'true' }) });
    request.open(method, `${path}?${query}`);
    // As long as the file: it is not held in the page.
    request.responseType = 'blob';
    request.setRequestHeader('Content-Type', mediaType);
    if (isGzip) request.setRequestHeader('Content-Encoding', 'gzip');
    if (key !== null) request.setRequestHeader('Idempotency-Key', key);
    request.upload.onprogress = ({ loaded }) => onProgress({ sentBytes: loaded, totalBytes: body.size });
    request.onload = () => resolve(outcomeOf(request));
    request.onerror = () => reject(new Error(connectionLost));
    request.onabort = cancel;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** @throws RestError for an answer that is no summary */
async function outcomeOf({ response, status, statusText }: XMLHttpRequest): Promise<ImportOutcome> {
  const answer = response as Blob;
  const outcome = await readSummary(answer);
  if (outcome) return outcome;
  throw new RestError(status, statusText, await answer.text());
}

/** A session that has ended meanwhile is waited for, and the upload sent once more: what of it is in stays in, and it goes on there. */
export async function sendWhileSignedIn(request: UploadRequest): Promise<ImportOutcome> {
  try {
    return await sendUpload(request);
  } catch (error) {
    const isRefused = error instanceof RestError && error.status === 401;
    if (isRefused && (await bringSessionBack())) return sendUpload(request);
    throw error;
  }
}

const connectionLost =
  'The connection to the server was lost during the upload. Documents that had already arrived are kept; try again, and it goes on where it was.';
