import { AppError } from '#server/errors.ts';
import type { BodyLimits } from './body-limits.ts';
import { decodeUtf8, parseJson } from './json.ts';
import { JsonBody } from './json-body.ts';

/** A body up to this size is read and parsed at once; a larger one becomes a value while it arrives. */
const readAtOnceMax = 64 * 1024;

/** For a whole body. Imports may take hours; they have a limit for silence instead. */
const bodyTimeoutMs = 60_000;

/** How a body is read. */
export interface BodyReading {
  /** Hears of its bytes as they arrive; throws when they are too many beside those of others. */
  hold: (bytes: number) => void;
  /** Resolves when the next piece of a large one may be worked on. */
  turn: () => Promise<void>;
}

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

/**
 * The whole body as strictly checked JSON. One that is refused is read to its end all the same, so that its sender hears why.
 * @throws AppError BAD_REQUEST, PAYLOAD_TOO_LARGE, what `hold` throws
 */
export async function readJson(
  request: Request,
  { bytesMax, valuesMax }: BodyLimits,
  { hold, turn }: BodyReading,
): Promise<unknown> {
  // The HTTP parser holds a sender to the length it announced.
  const announced = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (announced <= readAtOnceMax) {
    hold(announced);
    return parseJson(decodeUtf8(await wholeBody(request)), { valuesMax });
  }
  const body = new JsonBody(valuesMax);
  for await (const chunk of counted(request, bytesMax)) {
    if (body.hasFault) continue;
    hold(chunk.byteLength);
    await turn();
    body.push(chunk);
  }
  await turn();
  return body.parse();
}

async function wholeBody(request: Request): Promise<Uint8Array> {
  const late = `The body did not arrive whole within ${bodyTimeoutMs / 1000} s`;
  return new Uint8Array(await orCutOff(within(request.arrayBuffer(), bodyTimeoutMs, late)));
}

/** A chunked body announces no length. @throws AppError PAYLOAD_TOO_LARGE */
async function* counted(request: Request, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of bodyChunks(request, { totalMs: bodyTimeoutMs })) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    yield chunk;
  }
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
  const late =
    'totalMs' in timeout
      ? `The body did not arrive whole within ${timeout.totalMs / 1000} s`
      : `Nothing more of the body arrived within ${timeout.silenceMs / 1000} s`;
  let isDone = false;
  try {
    while (true) {
      const since = performance.now();
      const waitMs = 'silenceMs' in timeout ? timeout.silenceMs : Math.max(0, totalMs);
      const { done, value } = await orCutOff(within(reader.read(), waitMs, late));
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

async function within<T>(promise: Promise<T>, waitMs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new AppError('BAD_REQUEST', message));
    timer = setTimeout(fail, waitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
