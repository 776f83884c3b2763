import type { IncomingMessage } from 'node:http';

/** What `Headers` is asked for. One is not made for each request that is refused. */
export type HeaderReader = Pick<Headers, 'get'>;

export function readerOf({ headers }: IncomingMessage): HeaderReader {
  return {
    get: (name) => {
      const value = headers[name];
      return (Array.isArray(value) ? value.join(', ') : value) ?? null;
    },
  };
}
