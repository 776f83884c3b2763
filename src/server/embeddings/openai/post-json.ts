import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import {
  checkedLookup,
  findAddresses,
  isAddress,
  PrivateAddressError,
  type Resolve,
} from '#server/outbound/find-addresses.ts';

export interface JsonAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface JsonPosting {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Of the answer. */
  bytesMax: number;
}

export class AnswerTooLongError extends Error {}

const idleMs = 30_000;

/**
 * Sends JSON to one service over connections that are kept. An address is checked when it is connected to, and only https is spoken with public
 * ones. Redirects are not followed: they could lead anywhere.
 */
export class JsonPoster {
  readonly #finding: { resolve: Resolve; mayBePrivate: boolean };
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: idleMs }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: idleMs }),
  };

  constructor(finding: { resolve: Resolve; mayBePrivate: boolean }) {
    this.#finding = finding;
  }

  /** @throws PrivateAddressError, AnswerTooLongError, the signal's reason, what the connection throws */
  async post({ url, headers, body, bytesMax }: JsonPosting, signal: AbortSignal): Promise<JsonAnswer> {
    const isTls = url.protocol === 'https:';
    if (!isTls && !this.#finding.mayBePrivate) throw new PrivateAddressError('only https is sent to');
    // What is an address already is connected to without a lookup.
    if (isAddress(url.hostname)) await findAddresses(url.hostname, this.#finding);
    signal.throwIfAborted();
    const bytes = Buffer.from(body);
    const sent = (isTls ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
      lookup: checkedLookup(this.#finding),
      agent: isTls ? this.#agents['https:'] : this.#agents['http:'],
      signal,
    });
    return await answerOf(sent, bytes, bytesMax);
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function answerOf(sent: ClientRequest, body: Buffer, bytesMax: number): Promise<JsonAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let length = 0;
      answer.on('error', reject);
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= bytesMax) {
          chunks.push(chunk);
          return;
        }
        reject(new AnswerTooLongError(`An answer has more than ${bytesMax} bytes`));
        sent.destroy();
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.end(body);
  });
}
