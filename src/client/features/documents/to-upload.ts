import { ArrayScanner } from './array-scanner.ts';
import { type FileHead, plainBlob, UploadFormatError } from './file-head.ts';
import { type ImportPlan, mappingOf } from './import-plan.ts';

/** What is sent. */
export interface Upload {
  body: Blob;
  mediaType: string;
  isGzip: boolean;
  /** In the address. */
  parameters: { delimiter?: string; mapping?: string };
}

/**
 * A file as the server takes it: as it is wherever that is possible, since nothing of it has to be read then. JSON in UTF-16 and arrays inside
 * of an object are converted piece by piece.
 * @throws UploadFormatError for an array that does not end, the signal's reason
 */
export async function toUpload(
  file: Blob,
  { head, plan }: { head: FileHead; plan: Pick<ImportPlan, 'content' | 'columns'> },
  signal: AbortSignal,
): Promise<Upload> {
  const { content, columns } = plan;
  const asItIs = { body: file, isGzip: head.isGzip, parameters: {} };
  if (content.table) {
    const mapping = mappingOf(columns);
    const hasMapping = Object.keys(mapping).length > 0;
    const { delimiter } = content.table;
    const parameters = { delimiter, ...(hasMapping && { mapping: JSON.stringify(mapping) }) };
    return { ...asItIs, mediaType: `text/csv; charset=${head.encoding}`, parameters };
  }
  const mediaType = content.format === 'lines' ? 'application/x-ndjson' : 'application/json';
  const isTaken = content.format === 'lines' || content.format === 'array';
  if (isTaken && head.encoding === 'utf-8') return { ...asItIs, mediaType };

  const plain = await plainBlob(file, head);
  const converted = { mediaType, isGzip: false, parameters: {} };
  if (content.wrapper) {
    const array = await unwrap(plain, { start: content.wrapper.start, head }, signal);
    return { ...converted, body: array };
  }
  if (content.format === 'document') return { ...converted, body: new Blob(['[', plain, ']']) };
  return { ...converted, body: plain };
}

/** The array alone, brackets included: a slice, which copies nothing. */
async function unwrap(
  plain: Blob,
  { start, head }: { start: number; head: FileHead },
  signal: AbortSignal,
): Promise<Blob> {
  // What was converted has lost its mark.
  const markBytes = head.isGzip || head.encoding !== 'utf-8' ? 0 : head.markBytes;
  const from = markBytes + new TextEncoder().encode(head.text.slice(0, start)).length;
  const scanner = new ArrayScanner();
  await readChunks(plain.slice(from).stream(), signal, (chunk) => {
    scanner.push(chunk);
    return scanner.end === null;
  });
  if (scanner.end === null) throw new UploadFormatError('The file ends before the end of its array.');
  return plain.slice(from - 1, from + scanner.end + 1);
}

/** Chunk by chunk, until it is over or enough. @throws the signal's reason */
export async function readChunks(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => boolean,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (let goesOn = true; goesOn; ) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      goesOn = !done && onChunk(value);
    }
  } finally {
    await reader.cancel();
  }
}
