import { type ErrorCode, errorTable } from '#shared/errors.ts';
import type { Operation } from './catalogue.ts';
import { type HeaderName, withHeaders } from './describe-headers.ts';
import type { JsonSchema } from './json-schema.ts';

/** An answer in the words of OpenAPI. */
export interface DescribedAnswer {
  description: string;
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: JsonSchema }>;
}

/** What of the error table an operation can answer, by status. */
export function errorsOf(operation: Operation): Record<string, { $ref: string }> {
  const { access, method, path, body, stream } = operation;
  // A query string that is not URL encoding, and a name that is not this server's, are refused whatever is asked.
  const codes: ErrorCode[] = [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'TOO_MANY_REQUESTS',
    'UNPROCESSABLE',
    'INTERNAL',
    'UNAVAILABLE',
  ];
  if (access !== 'public' || method !== 'GET') codes.push('NOT_FOUND');
  // Several of a user's projects may have a collection or an alias of that name.
  if (method !== 'GET' || /\{(name|alias)\}/.test(path)) codes.push('CONFLICT');
  if (operation.headers.includes('if_match')) codes.push('PRECONDITION_FAILED');
  if (body !== 'none' || stream === 'import') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return Object.fromEntries(
    codes.map((code) => [errorTable[code].status, { $ref: `#/components/responses/${code}` }]),
  );
}

/** Beside those of every answer. */
const furtherHeaders: Partial<Record<string, HeaderName[]>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  TOO_MANY_REQUESTS: ['Retry-After'],
  UNAVAILABLE: ['Retry-After'],
};

const descriptions: Record<ErrorCode, string> = {
  BAD_REQUEST: 'What was sent is not valid. `details` name the field, and the position within it.',
  UNAUTHORIZED: 'There is no key or session, or it is not good.',
  FORBIDDEN:
    'The key or role may not do this, or the request comes from a foreign page or by a foreign name.',
  NOT_FOUND: 'There is no such thing, or it is not yours.',
  METHOD_NOT_ALLOWED: 'Not with this method; `Allow` names those that are possible.',
  CONFLICT: 'A name or id is taken, or it names several things.',
  PRECONDITION_FAILED: 'The document is not, or no longer, one of those that `If-Match` names.',
  PAYLOAD_TOO_LARGE: 'The body is too large, packed or unpacked.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a type or encoding that is not read here.',
  UNPROCESSABLE:
    'A limit is reached that waiting does not mend. Of a quota of the workspace’s plan `details` names it (`quotas.documents`), what is used and the limit.',
  TOO_MANY_REQUESTS:
    'Come back after `Retry-After`. Where the plan’s requests of the month are used up, `details` says so (`quotas.requests`).',
  INTERNAL: 'A fault of the server; `requestId` finds it in the log.',
  UNAVAILABLE: 'Not now; come back after `Retry-After`.',
};

export const errorReference: JsonSchema = { $ref: '#/components/schemas/Error' };

export function errorResponses(): Record<string, DescribedAnswer> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([code, description]) => [
      code,
      {
        description: `${code}: ${description}`,
        headers: withHeaders(...(furtherHeaders[code] ?? [])),
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
