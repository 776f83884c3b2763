import { limits } from '#shared/limits.ts';

/** Headers of answers, in the words of OpenAPI. */
export const headers = {
  'X-Request-Id': { description: 'It finds the request in the log', schema: { type: 'string' } },
  RateLimit: {
    description:
      'How many requests are left, and in how many seconds there are more: `"key";r=59998;t=1`. Absent where the rate is not limited',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How many requests there are in so many seconds: `"key";q=60000;w=60`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: '`Bearer`: an API key is good, too', schema: { type: 'string' } },
  'X-Total-Count': {
    description: `How long the whole list is; \`${limits.countedRowsMax}+\`: longer than that`,
    schema: { type: 'string', pattern: '^[0-9]+\\+?$' },
  },
  ETag: {
    description: 'Of the document as it is now: `If-Match` with it refuses to write over another',
    schema: { type: 'string' },
  },
  'X-Import-Id': { description: 'Which import it is; a dry run is none', schema: { type: 'integer' } },
};

export type HeaderName = keyof typeof headers;

/** What every answer may carry, and these. */
export function withHeaders(...names: HeaderName[]): Record<string, { $ref: string }> {
  const all: HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
