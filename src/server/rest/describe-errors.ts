import { type ErrorCode, errorTable } from '#shared/errors.ts';
import type { Operation } from './catalogue.ts';
import { withHeaders } from './describe-headers.ts';
import type { JsonSchema } from './json-schema.ts';

/** An answer in the words of OpenAPI. */
export interface DescribedAnswer {
  description: string;
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: JsonSchema }>;
}

/** What of the error table an operation can answer, by status. */
export function errorsOf(operation: Operation): Record<string, { $ref: string }> {
  const { access, method, body, stream } = operation;
  // A query string that is not URL encoding is refused whatever is asked.
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'TOO_MANY_REQUESTS',
    'UNPROCESSABLE',
    'INTERNAL',
    'UNAVAILABLE',
  ];
  if (access !== 'public' || method !== 'GET') codes.push('FORBIDDEN', 'CONFLICT', 'NOT_FOUND');
  if (body !== 'none' || stream === 'import') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return Object.fromEntries(
    codes.map((code) => [errorTable[code].status, { $ref: `#/components/responses/${code}` }]),
  );
}

const waits = new Set<string>(['TOO_MANY_REQUESTS', 'UNAVAILABLE']);

const descriptions: Partial<Record<string, string>> = {
  UNPROCESSABLE:
    'UNPROCESSABLE: a limit is reached that waiting does not mend. Of a quota of the workspace’s plan `details` names it (`quotas.documents`), what is used and the limit.',
  TOO_MANY_REQUESTS:
    'TOO_MANY_REQUESTS: come back after `Retry-After`. Where the plan’s requests of the month are used up, `details` says so (`quotas.requests`).',
};

export const errorReference: JsonSchema = { $ref: '#/components/schemas/Error' };

export function errorResponses(): Record<string, DescribedAnswer> {
  return Object.fromEntries(
    Object.keys(errorTable).map((code) => [
      code,
      {
        description: descriptions[code] ?? code,
        headers: waits.has(code) ? withHeaders('Retry-After') : withHeaders(),
        content: { 'application/json': { schema: errorReference } },
      },
    ]),
  );
}

export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string' },
    code: { enum: Object.keys(errorTable) },
    requestId: {
      type: 'string',
      description: 'Also in the header X-Request-Id; it finds the request in the log',
    },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The dotted field, or the quota' },
          message: { type: 'string' },
          position: { type: 'integer', description: 'The character within the field, from 0' },
        },
      },
    },
  },
};
