import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';

const pieceBytes = 64 * 1024;

/** How a body is encoded; null: not at all. @throws AppError UNSUPPORTED_MEDIA_TYPE */
export function contentEncoding(headers: Headers): 'gzip' | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return null;
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body as it is or with Content-Encoding: gzip; this one says "${encoding.slice(0, 64)}"`,
  );
}

/**
 * What was packed with gzip, piece by piece, off the main thread. No more is unpacked, and no more of the body is read, than is taken. One
 * that grows as no honest one does is refused; how much it may be in all is for its reader to say.
 * @throws AppError BAD_REQUEST (no gzip, or cut off), PAYLOAD_TOO_LARGE, what `chunks` throws
 */
export async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let packed = 0;
  let unpacked = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      packed += chunk.byteLength;
      yield chunk;
    }
  }
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  const source = Readable.from(counted(), { highWaterMark: 1 });
  // Whatever fails ends the unpacked side, which is read below.
  pipeline(source, gunzip, () => undefined);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      unpacked += piece.byteLength;
      if (unpacked > limits.unpackedFreeBytes && unpacked > packed * limits.unpackedTimesMax)
        throw tooDense();
      yield piece;
    }
  } catch (error) {
    throw faultOf(error);
  } finally {
    gunzip.destroy();
  }
}

function tooDense(): AppError {
  const megabytes = limits.unpackedFreeBytes / 1024 / 1024;
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `Unpacked the body is more than ${limits.unpackedTimesMax} times as large, which only the first ${megabytes} MB may be: send it as it is`,
  );
}

/** What the library says of bytes that are no gzip has a code; all else is of the body itself. */
function faultOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!code.startsWith('Z_')) return error;
  const message =
    code === 'Z_BUF_ERROR'
      ? 'The body ends before the end of its gzip stream'
      : 'The body says Content-Encoding: gzip and is no gzip';
  return new AppError('BAD_REQUEST', message, { cause: error });
}
