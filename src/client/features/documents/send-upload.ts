import { isRecord, parseJson } from '#client/lib/json.ts';
import { RestError } from '#client/lib/rest-error.ts';
import type { ImportSummary } from '#shared/documents.ts';
import { restCall } from '#shared/rest-addresses.ts';
import { mediaTypes, type UploadFormat } from './upload-format.ts';

export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

interface UploadRequest {
  collectionId: number;
  file: Blob;
  format: UploadFormat;
  signal: AbortSignal;
  onProgress: (progress: UploadProgress) => void;
}

/** The reader stopped the upload. */
export class UploadCancelled extends Error {}

/**
 * Sends a file to the import route. XMLHttpRequest, because only it tells how much has really been sent.
 * A file none of whose rows could be stored is a summary too (400 with results), not an error.
 * @throws RestError with the server's sentence · UploadCancelled · Error for a lost connection
 */
export function sendUpload({
  collectionId,
  file,
  format,
  signal,
  onProgress,
}: UploadRequest): Promise<ImportSummary> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const { method, path } = restCall('POST /api/collections/{name}/documents/import', {
      name: collectionId,
    });
    request.open(method, path);
    request.setRequestHeader('Content-Type', mediaTypes[format]);
    request.upload.onprogress = ({ loaded }) => onProgress({ sentBytes: loaded, totalBytes: file.size });
    request.onload = () => {
      const summary = summaryOf(request.responseText);
      if (summary) resolve(summary);
      else reject(new RestError(request.status, request.statusText, request.responseText));
    };
    request.onerror = () => reject(new Error(connectionLost));
    request.onabort = () => reject(new UploadCancelled('The upload was cancelled.'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) request.abort();
    else request.send(file);
  });
}

const connectionLost =
  'The connection to the server was lost during the upload. Documents that had already arrived are kept.';

function summaryOf(text: string): ImportSummary | null {
  const body = parseJson(text);
  return isRecord(body) && 'results' in body ? (body as unknown as ImportSummary) : null;
}
