/** So much of a file, unpacked, is read to know what it is. */
const headBytes = 256 * 1024;

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The beginning of a file as text. */
export interface FileHead {
  text: string;
  /** It is all of the file. */
  isWhole: boolean;
  isGzip: boolean;
  encoding: Encoding;
  /** Of the byte order mark. */
  markBytes: number;
}

/** A sentence for the reader when the file cannot be an upload. */
export class UploadFormatError extends Error {}

/** Reads a slice of the file, whatever its size. @throws UploadFormatError for what is no text */
export async function readHead(file: Blob): Promise<FileHead> {
  const first = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const { bytes, isWhole } = isGzip
    ? await unpackHead(file)
    : { bytes: first, isWhole: file.size <= headBytes };
  if (bytes.length === 0) throw new UploadFormatError('This file is empty.');
  const kind = kindOf(bytes);
  if (kind) throw new UploadFormatError(kind);
  const { encoding, markBytes } = encodingOf(bytes);
  // A character may be cut off at the end of what was read.
  const text = new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
  if (text.includes('\u0000')) {
    throw new UploadFormatError(
      'This is no text file. JSON, NDJSON, CSV and TSV can be imported, gzipped or not.',
    );
  }
  if (text.trim() === '') throw new UploadFormatError('This file is empty.');
  return { text, isWhole, isGzip, encoding, markBytes };
}

/** What is broken or cut off behind the first bytes is the import's to tell. */
async function unpackHead(file: Blob): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  try {
    while (length < headBytes) {
      const { done, value } = await reader.read();
      if (done) {
        isWhole = true;
        break;
      }
      parts.push(value);
      length += value.length;
    }
  } catch {
    if (length === 0)
      throw new UploadFormatError('This gzip file cannot be unpacked: it is broken or cut off.');
  } finally {
    // Of a stream that has failed there is nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, isWhole };
}

/** Files that people try, and what to do with them; null: it may be text. */
function kindOf(bytes: Uint8Array): string | null {
  const begins = (...head: number[]) => head.every((byte, place) => bytes[place] === byte);
  const convert = 'Save it as CSV or JSON and import that.';
  if (begins(0x50, 0x4b, 0x03, 0x04))
    return `This is a ZIP archive or an Excel or OpenDocument file. ${convert}`;
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) return `This is an old Office file. ${convert}`;
  if (begins(0x50, 0x41, 0x52, 0x31)) return `This is a Parquet file. ${convert}`;
  if (begins(0x25, 0x50, 0x44, 0x46)) return 'This is a PDF file, which holds no rows of data.';
  if (begins(0x89, 0x50, 0x4e, 0x47) || begins(0xff, 0xd8, 0xff) || begins(0x47, 0x49, 0x46, 0x38))
    return 'This is a picture, which holds no rows of data.';
  return null;
}

/** By its mark; without one JSON and tables in UTF-16 have a zero byte beside their first characters. */
function encodingOf([a, b, c, d]: Uint8Array): { encoding: Encoding; markBytes: number } {
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return { encoding: 'utf-16le', markBytes: 0 };
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

/** The file as UTF-8, unpacked. What has to be converted is streamed into a new blob, which the browser keeps outside of the page's memory. */
export async function plainBlob(file: Blob, head: FileHead): Promise<Blob> {
  if (!head.isGzip && head.encoding === 'utf-8') return file;
  return await new Response(plainStream(file, head)).blob();
}

/** The same as it comes. */
export function plainStream(
  file: Blob,
  { isGzip, encoding }: Pick<FileHead, 'isGzip' | 'encoding'>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let stream: ReadableStream<Uint8Array<ArrayBuffer>> = file.stream();
  if (isGzip) stream = stream.pipeThrough(new DecompressionStream('gzip'));
  if (encoding !== 'utf-8')
    stream = stream.pipeThrough(new TextDecoderStream(encoding)).pipeThrough(new TextEncoderStream());
  return stream;
}
