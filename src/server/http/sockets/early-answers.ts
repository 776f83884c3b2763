import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { type HeaderReader, readerOf } from '../header-reader.ts';
import { isHttps } from '../origin/public-origin.ts';
import { securityHeaders } from '../security-headers.ts';

/** Answers to requests that the app does not see. They carry the same headers as the app's, and end the connection. */
export interface EarlyAnswers {
  refuse(incoming: IncomingMessage, outgoing: ServerResponse, message: string, status?: number): void;
  /** For a request line or Host that no URL can be made of. */
  unreadable(error: unknown): Response;
  /** For bytes that are no request, on the bare connection. */
  refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void;
}

interface EarlyAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
}

/** What the HTTP parser and its clock call their faults; the codes of api.md have no other word for these than BAD_REQUEST. */
const faults: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are larger than 16 KB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The extensions of a chunk are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The headers did not arrive in time' },
};
const noHeaders: HeaderReader = new Headers();
const malformed = { status: 400, message: 'This is not a valid HTTP request' };

export function createEarlyAnswers(
  settings: Pick<Settings, 'publicUrl' | 'trustProxy'>,
  log: Log,
): EarlyAnswers {
  function answer(message: string, { status = 400, headers = noHeaders } = {}): EarlyAnswer {
    const requestId = randomUUID();
    log.info('a request was refused before it was read', { requestId, status, reason: message });
    const error: ErrorBody = { message, code: 'BAD_REQUEST', requestId };
    const body = Buffer.from(JSON.stringify(error));
    return {
      status,
      headers: {
        ...securityHeaders(isHttps(settings, headers)),
        'X-Request-Id': requestId,
        'Content-Type': 'application/json',
        'Content-Length': String(body.byteLength),
        Connection: 'close',
      },
      body,
    };
  }

  return {
    refuse(incoming, outgoing, message, status) {
      const { body, ...head } = answer(message, { status, headers: readerOf(incoming) });
      outgoing.writeHead(head.status, head.headers).end(body);
    },
    unreadable() {
      const { body, ...init } = answer('The address or the Host header is not valid');
      return new Response(body, init);
    },
    refuseBytes(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const { status, message } = faults[error.code ?? ''] ?? malformed;
      socket.end(toBytes(answer(message, { status })), () => socket.destroy());
    },
  };
}

function toBytes({ status, headers, body }: EarlyAnswer): Buffer {
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString() });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]);
}
