import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import { CountedLines } from '#server/counted-lines.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { addressOf } from '../environment.ts';
import { type HeaderReader, readerOf } from '../header-reader.ts';
import { isHttps } from '../origin/public-origin.ts';
import { securityHeaders } from '../security-headers.ts';

/** Answers to requests that the app does not see. They carry the same headers as the app's, and end the connection. */
export interface EarlyAnswers {
  refuse(incoming: IncomingMessage, outgoing: ServerResponse, message: string, status?: number): void;
  /** For a request line or Host that no URL can be made of. Null: its connection is ended. */
  unreadable(incoming: IncomingMessage): Response | null;
  /** For bytes that are no request, on the bare connection. */
  refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** Writes what is not in the log yet. */
  stop(): void;
}

/** What a caller sends that the app does not see. */
interface Fault {
  message: string;
  status?: number;
  address: string;
  headers?: HeaderReader;
}

/** Counts it against the budget of its address. False: that is used up, and it gets no answer. */
export type CountFault = (address: string) => boolean;

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
  countFault: CountFault = () => true,
): EarlyAnswers {
  const lines = new CountedLines(log, 'a request was refused before it was read');

  function note(requestId: string, status: number, { message, address }: Fault): void {
    const group = addressNetwork(address);
    const name = `${message} ${addressGroup(address)}`;
    const fields = { status, reason: message, address: addressGroup(address) };
    lines.note({ name, group, kind: message, requestId, fields });
  }

  /** Null: it gets none. */
  function answer(fault: Fault): EarlyAnswer | null {
    const { message, status = 400, address, headers = noHeaders } = fault;
    if (!countFault(address)) return null;
    const requestId = randomUUID();
    note(requestId, status, fault);
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

  function faultOf(incoming: IncomingMessage, message: string): Fault {
    const headers = readerOf(incoming);
    return { message, headers, address: addressOf(headers, incoming, settings.trustProxy) };
  }

  return {
    refuse(incoming, outgoing, message, status = 400) {
      const made = answer({ ...faultOf(incoming, message), status });
      if (made === null) incoming.socket.destroy();
      else outgoing.writeHead(made.status, made.headers).end(made.body);
    },
    unreadable(incoming) {
      const made = answer(faultOf(incoming, 'The address or the Host header is not valid'));
      if (made === null) incoming.socket.destroy();
      return made && new Response(made.body, made);
    },
    refuseBytes(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const address = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
      const made = answer({ ...(faults[error.code ?? ''] ?? malformed), address });
      if (made === null) socket.destroy();
      else socket.end(toBytes(made), () => socket.destroy());
    },
    stop: () => lines.stop(),
  };
}

function toBytes({ status, headers, body }: EarlyAnswer): Buffer {
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString() });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]);
}
