import { restCall } from '#shared/rest-addresses.ts';
import { RestError } from '../rest-error.ts';

interface Exported {
  collection: number;
  /** Empty: all documents. */
  filter: string;
  signal: AbortSignal;
  /** Told after each piece. */
  onProgress: (documents: number, bytes: number) => void;
}

const newline = 10;
/** Pieces are put together at this size, so that the browser may keep them on its disk. */
const partBytes = 8 * 1024 * 1024;

/** All documents that pass, as NDJSON. @throws RestError, or what the connection broke off with: nothing is answered by halves */
export async function exportDocuments({ collection, filter, signal, onProgress }: Exported): Promise<Blob> {
  const { path } = restCall('GET /api/collections/{name}/documents/export', { name: collection });
  const query = filter.trim() === '' ? '' : `?${new URLSearchParams({ filter_by: filter.trim() })}`;
  const answer = await fetch(`${path}${query}`, { credentials: 'include', signal });
  if (!answer.ok || !answer.body) throw new RestError(answer.status, answer.statusText, await answer.text());
  const reader = answer.body.getReader();
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let [held, documents, bytes] = [0, 0, 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob([...parts, ...pieces], { type: 'application/x-ndjson' });
    pieces.push(value);
    held += value.byteLength;
    bytes += value.byteLength;
    documents += count(value);
    onProgress(documents, bytes);
    if (held < partBytes) continue;
    parts.push(new Blob(pieces));
    pieces = [];
    held = 0;
  }
}

/** A line is a document. */
function count(piece: Uint8Array): number {
  let lines = 0;
  for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
