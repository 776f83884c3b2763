import type { IncomingMessage } from 'node:http';

/** What `Headers` is asked for, by names in lower case. One is not made for each request. */
export type HeaderReader = Pick<Headers, 'get'>;

export function readerOf({ headers }: IncomingMessage): HeaderReader {
  return {
    get: (name) => {
      const value = headers[name];
      return (Array.isArray(value) ? value.join(', ') : value) ?? null;
    },
  };
}
