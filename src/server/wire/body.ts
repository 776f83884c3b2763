import { AppError } from '#server/errors.ts';
import { decodeUtf8, parseJson } from './json.ts';

/** For a whole body. Imports may take hours; they have a limit for silence instead. */
const bodyTimeoutMs = 60_000;

const tooLarge = (bytesMax: number) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${bytesMax < 1024 * 1024 ? `${bytesMax / 1024} KB` : `${bytesMax / 1024 / 1024} MB`}`,
  );

/** Refuses what the headers alone can tell, before the body is read. @throws AppError */
export function checkBodyHeaders(
  headers: Headers,
  accepts: 'json' | 'json or ndjson',
  bytesMax: number,
): void {
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const type = mediaType(headers);
  if (type === 'application/json' || (accepts === 'json or ndjson' && type === 'application/x-ndjson'))
    return;
  const wanted = accepts === 'json' ? 'application/json' : 'application/json or application/x-ndjson';
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body as ${wanted}; this one ${type ? `is ${type}` : 'has no Content-Type'}`,
  );
}

export function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The whole body as strictly checked JSON. @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE */
export async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  return parseJson(decodeUtf8(await readBytes(request, bytesMax)));
}

async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  // The HTTP parser holds a sender to the length it announced. Reading at once spares a small body the stream, which costs 0.2 ms.
  if (!request.headers.has('content-length')) return await readCounted(request, bytesMax);
  const bytes = new Uint8Array(await orCutOff(within(request.arrayBuffer(), bodyTimeoutMs)));
  if (bytes.byteLength > bytesMax) throw tooLarge(bytesMax);
  return bytes;
}

/** Counts while reading, since a chunked body announces no length. */
async function readCounted(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodyChunks(request, { totalMs: bodyTimeoutMs })) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, bytes);
}

/**
 * The body as it comes. Only waiting for the sender counts as time, not what the reader does in between.
 * @throws AppError BAD_REQUEST when the sender is too slow or hangs up
 */
export async function* bodyChunks(
  request: Request,
  timeout: { totalMs: number } | { silenceMs: number },
): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  let totalMs = 'totalMs' in timeout ? timeout.totalMs : Number.POSITIVE_INFINITY;
  let isDone = false;
  try {
    while (true) {
      const since = performance.now();
      const waitMs = 'silenceMs' in timeout ? timeout.silenceMs : Math.max(0, totalMs);
      const { done, value } = await orCutOff(within(reader.read(), waitMs));
      totalMs -= performance.now() - since;
      if (done) break;
      yield value;
    }
    isDone = true;
  } finally {
    // The rest is not needed, so a failure to cancel it is ignored.
    if (!isDone) reader.cancel().catch(() => undefined);
  }
}

/** @throws AppError BAD_REQUEST, whatever the reason why reading failed */
async function orCutOff<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('BAD_REQUEST', 'The body was cut off before its end', { cause });
  }
}

async function within<T>(promise: Promise<T>, waitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = Math.round(waitMs / 1000);
    const fail = () =>
      reject(new AppError('BAD_REQUEST', `Nothing more of the body arrived within ${seconds} s`));
    timer = setTimeout(fail, waitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
