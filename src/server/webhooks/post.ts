import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  checkedLookup,
  findAddresses,
  isAddress,
  PrivateAddressError,
  type Resolve,
} from '#server/outbound/find-addresses.ts';

/** What became of an attempt. */
export interface Posted {
  /** What the receiver answered; null: it did not. */
  status: number | null;
  /** Why it does not count as received, in words for whoever set the address; null: it does. */
  error: string | null;
  tookMs: number;
}

export interface Posting {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostOptions {
  resolve: Resolve;
  mayBePrivate: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Of an answer no more is read: its status says all. */
const answerBytesMax = 1_024;

/** Sends once. What goes wrong is answered, not thrown. Redirects are not followed: they could lead anywhere. */
export async function post(posting: Posting, options: PostOptions): Promise<Posted> {
  const since = performance.now();
  const late = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
  const outcome = await attempt(posting, options, signal).then(
    (status) => ({ status, error: errorOf(status) }),
    (error: unknown) => ({
      status: null,
      error: late.aborted ? `no answer within ${options.timeoutMs / 1_000} s` : wordsOf(error),
    }),
  );
  return { ...outcome, tookMs: Math.round(performance.now() - since) };
}

async function attempt(
  { url, headers, body }: Posting,
  { resolve, mayBePrivate }: PostOptions,
  signal: AbortSignal,
): Promise<number> {
  const target = new URL(url);
  if (target.protocol !== 'https:' && !mayBePrivate) throw new PrivateAddressError('only https is sent to');
  // What is an address already is connected to without a lookup.
  if (isAddress(target.hostname)) await findAddresses(target.hostname, { resolve, mayBePrivate });
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  const sent = request(target, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
    lookup: checkedLookup({ resolve, mayBePrivate }),
    // A connection of its own: a kept one would have been checked for an earlier message.
    agent: false,
    signal,
  });
  return await statusOf(sent, bytes);
}

function statusOf(sent: ClientRequest, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      readSome(answer);
    });
    sent.end(body);
  });
}

/** So that a receiver with little to say can end in peace; the request's signal ends it for whoever says it slowly. */
function readSome(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('error', () => answer.destroy());
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytesMax) answer.destroy();
  });
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `it answers ${status}, and redirects are not followed`;
  return `it answers ${status}`;
}

const words: Record<string, string> = {
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host cannot be looked up now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ETIMEDOUT: 'its host does not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host',
};

/** Nothing of what an error says may tell a user about the machine's network, so only what is known is said. */
function wordsOf(error: unknown): string {
  if (error instanceof PrivateAddressError) return error.message;
  for (const each of error instanceof AggregateError ? error.errors : [error]) {
    const known = each instanceof Error && 'code' in each ? words[String(each.code)] : undefined;
    if (known) return known;
  }
  return 'the connection failed';
}
