import { AppError } from '#server/errors.ts';
import { within } from '#server/within.ts';
import type { BodyLimits } from './body-limits.ts';
import { contentEncoding, inflated } from './inflated.ts';
import { decodeUtf8, parseJson } from './json.ts';
import { JsonBody } from './json-body.ts';
import { MinimumRate, type StallLimits } from './minimum-rate.ts';

/** A body up to this size is read and parsed at once; a larger one becomes a value while it arrives. */
const readAtOnceMax = 64 * 1024;
/** Of a larger body, in one turn of the main thread: a piece may be 8,000 lists, and to move so many while garbage is collected takes longer than to read them. */
const pieceBytes = 16 * 1024;

/** For a whole body. Imports may take hours; they have a minimum rate instead. */
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

const jsonOnly: readonly string[] = ['application/json'];

/** Refuses what the headers alone can tell, before the body is read. @throws AppError */
export function checkBodyHeaders(
  headers: Headers,
  { accepts = jsonOnly, bytesMax }: { accepts?: readonly string[]; bytesMax: number },
): void {
  contentEncoding(headers);
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const type = mediaType(headers);
  if (accepts.includes(type)) return;
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body as ${accepts.join(' or ')}; this one ${type ? `is ${type}` : 'has no Content-Type'}`,
  );
}

export function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The encoding that a text says it has; null: it says nothing, or UTF-8. @throws AppError UNSUPPORTED_MEDIA_TYPE for an unknown one */
export function charsetOf(headers: Headers): string | null {
  const [, label = ''] = /;\s*charset="?([\w.:-]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  if (label === '') return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? null : encoding;
  } catch (cause) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `There is no charset "${label}" here; send UTF-8`, {
      cause,
    });
  }
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
  if (announced <= readAtOnceMax && contentEncoding(request.headers) === null) {
    hold(announced);
    return parseJson(decodeUtf8(await wholeBody(request)), { valuesMax });
  }
  const body = new JsonBody(valuesMax);
  for await (const chunk of counted(request, bytesMax)) {
    if (body.hasFault) continue;
    hold(chunk.byteLength);
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) {
      await turn();
      body.push(chunk.subarray(at, at + pieceBytes));
    }
  }
  await turn();
  return body.parse();
}

async function wholeBody(request: Request): Promise<Uint8Array> {
  const late = () => lateBy({ totalMs: bodyTimeoutMs }, bodyTimeoutMs);
  return new Uint8Array(await orCutOff(within(request.arrayBuffer(), bodyTimeoutMs, late)));
}

/** Neither a chunked body nor a packed one announces its length. @throws AppError PAYLOAD_TOO_LARGE */
async function* counted(request: Request, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of unpackedChunks(request, { totalMs: bodyTimeoutMs })) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    yield chunk;
  }
}

/** The body as it comes, unpacked if it is packed; who is slow is told by what arrives. @throws AppError as `bodyChunks` and `inflated` */
export function unpackedChunks(
  request: Request,
  timeout: { totalMs: number } | StallLimits,
): AsyncGenerator<Uint8Array> {
  const chunks = bodyChunks(request, timeout);
  return contentEncoding(request.headers) === 'gzip' ? inflated(chunks) : chunks;
}

/**
 * The body as it comes. Only waiting for the sender counts as time, not what the reader does in between.
 * @throws AppError BAD_REQUEST when the sender is too slow or hangs up
 */
export async function* bodyChunks(
  request: Request,
  timeout: { totalMs: number } | StallLimits,
): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  const rate = new MinimumRate('totalMs' in timeout ? nothingGivenBack(timeout.totalMs) : timeout);
  let isDone = false;
  try {
    while (true) {
      const since = performance.now();
      const waitMs = Math.max(0, rate.leftMs);
      const { done, value } = await orCutOff(within(reader.read(), waitMs, () => lateBy(timeout, waitMs)));
      rate.noteWait(performance.now() - since);
      if (done) break;
      rate.noteBytes(value.byteLength);
      yield value;
    }
    isDone = true;
  } finally {
    // The rest is not needed, so a failure to cancel it is ignored.
    if (!isDone) reader.cancel().catch(() => undefined);
  }
}

/** A body that has so long in all. */
function nothingGivenBack(totalMs: number): StallLimits {
  return { stallMs: totalMs, bytesPerSecond: Number.POSITIVE_INFINITY };
}

/** What is said of a sender who was waited for as long as it had left. */
function lateBy(timeout: { totalMs: number } | StallLimits, waitedMs: number): AppError {
  return new AppError('BAD_REQUEST', lateMessage(timeout, waitedMs));
}

function lateMessage(timeout: { totalMs: number } | StallLimits, waitedMs: number): string {
  if ('totalMs' in timeout) return `The body did not arrive whole within ${timeout.totalMs / 1000} s`;
  const { stallMs, bytesPerSecond } = timeout;
  const within = `within ${stallMs / 1000} s`;
  if (waitedMs === stallMs) return `Nothing more of the body arrived ${within}`;
  return `Fewer than ${bytesPerSecond} bytes a second of the body arrived ${within}`;
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
