import { AppError } from '#server/errors.ts';
import type { Access } from '#server/rpc/procedure-meta.ts';
import type { Answer } from '#server/wire/answer.ts';
import { corsHeaders, preflightHeaders } from '#server/wire/cors.ts';
import { type ErrorCode, errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { answers } from './answer.ts';
import { catalogue, type Operation } from './catalogue.ts';
import { describeParameters, type Parameter, queryFields } from './describe-parameters.ts';
import { takesKey, uploadTypesOf } from './import/upload-types.ts';
import { inputSchema, type JsonSchema, property } from './input-schema.ts';

export const openApiPath = '/api/openapi.json';
const methods = ['GET', 'HEAD', 'OPTIONS'];

/** One for all who ask, however slowly they read. */
let text: Uint8Array<ArrayBuffer> | undefined;

/** The document, for anybody and for pages of any site. It is made when it is first asked for. @throws AppError METHOD_NOT_ALLOWED */
export function answerOpenApi(method: string): Answer {
  if (method === 'OPTIONS') {
    return { status: 204, headers: { Allow: methods.join(', '), ...preflightHeaders(['GET']) }, body: null };
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new AppError('METHOD_NOT_ALLOWED', `${method} is not possible here; use GET`, { allow: methods });
  }
  text ??= new TextEncoder().encode(JSON.stringify(openApiDocument(catalogue)));
  return { status: 200, headers: { ...corsHeaders, 'Content-Type': 'application/json' }, body: text };
}

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
}

interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, unknown>;
}

export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = describeOperation(operation);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vectora',
      version: '0.1.0',
      description: 'Semantic search over your own documents: by keyword, by meaning, or both.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: { securitySchemes, headers, schemas: { Error: errorSchema }, responses: errorResponses() },
  };
}

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'vectora_session',
    description: 'The console’s session; over https the cookie is called `__Host-vectora_session`.',
  },
};

/** What every answer to a counted request carries, unless its rate is not limited; and when to come back. */
const headers = {
  RateLimit: {
    description: 'How many requests are left, and in how many seconds there are more: `"key";r=59998;t=1`',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'How many requests there are in so many seconds: `"key";q=60000;w=60`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
};

const refer = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const rateHeaders = refer('RateLimit', 'RateLimit-Policy');

const securityOf: Record<Access, Record<string, string[]>[]> = {
  public: [],
  session: [{ session: [] }],
  read: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  write: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
};

const accessOf = {
  public: 'Anybody may call it.',
  session: 'For signed-in users.',
  read: 'For API keys with the permission `read`, and for signed-in users.',
  write: 'For API keys with the permission `write`, and for signed-in users.',
};

function describeOperation(operation: Operation): DescribedOperation {
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: accessOf[operation.access],
    security: securityOf[operation.access],
    parameters: describeParameters(operation),
    ...requestBody(operation),
    responses: { ...errorsOf(operation), ...withRate(successesOf(operation)) },
  };
}

function requestBody(operation: Operation): Pick<DescribedOperation, 'requestBody'> {
  const { body, stream } = operation;
  if (stream === 'import') {
    const content = uploadTypesOf(operation).map((type) => [type, { schema: uploadSchemas[type] ?? {} }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (body === 'none') return {};
  const schema = body === 'fields' ? bodyFields(operation) : (property(operation, body.as) ?? {});
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

const uploadSchemas: Record<string, JsonSchema> = {
  'application/json': { type: 'array', items: { type: 'object' } },
  'application/x-ndjson': { type: 'string', description: 'One JSON object a line' },
  'text/csv': { type: 'string', description: 'A table, whose first line names the fields' },
  'text/tab-separated-values': { type: 'string', description: 'The same with tabs' },
};

function bodyFields(operation: Operation): JsonSchema {
  const elsewhere = new Set([...operation.parameters.map(({ field }) => field), ...queryFields(operation)]);
  const { properties = {}, required = [], ...schema } = inputSchema(operation);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.has(name))),
    required: required.filter((name) => !elsewhere.has(name)),
  };
}

const importId = {
  'X-Import-Id': { description: 'Which import it is; a dry run is none', schema: { type: 'integer' } },
};

function withImportId(): Record<string, DescribedAnswer> {
  const answers = Object.entries(streams.import);
  return Object.fromEntries(answers.map(([status, answer]) => [status, { ...answer, headers: importId }]));
}

const streams: Record<'import' | 'export', Record<string, DescribedAnswer>> = {
  import: {
    200: json('All rows are in'),
    207: json('Some rows failed; each has its result'),
    400: json('No row is in; each has its result, or the request itself was wrong'),
  },
  export: {
    200: {
      description: 'One document a line',
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    },
  },
};

const meanings: Record<number, string> = { 200: 'Done', 201: 'Created', 401: 'Nobody is signed in' };

function successesOf(operation: Operation): Record<string, DescribedAnswer> {
  const { answer, stream } = operation;
  if (stream !== null) return stream === 'import' && takesKey(operation) ? withImportId() : streams[stream];
  if (answer === 'events') return { 200: answerOrEvents };
  if (answer === 'page') return { 200: { ...json('One page of the list'), headers: totalCount } };
  return Object.fromEntries(answers[answer].statuses.map((status) => [status, json(meanings[status] ?? '')]));
}

const answerOrEvents: DescribedAnswer = {
  description:
    'The answer; with `Accept: text/event-stream` as events: `sources`, then `delta`s, which together are the answer, `citation`s, and `done` with all of it, or `error`',
  content: { 'application/json': { schema: {} }, 'text/event-stream': { schema: { type: 'string' } } },
};

interface DescribedAnswer {
  description: string;
  content: Record<string, { schema: JsonSchema }>;
  headers?: Record<string, object>;
}

function withRate(responses: Record<string, DescribedAnswer>): Record<string, DescribedAnswer> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...rateHeaders } },
    ]),
  );
}

const totalCount = {
  'X-Total-Count': {
    description: `How long the whole list is; \`${limits.countedRowsMax}+\`: longer than that`,
    schema: { type: 'string', pattern: '^[0-9]+\\+?$' },
  },
};

function json(description: string): DescribedAnswer {
  return { description, content: { 'application/json': { schema: {} } } };
}

/** What of the error table an operation can answer. */
function errorsOf(operation: Operation): Record<string, unknown> {
  const { access, input, method, body, stream } = operation;
  const codes: ErrorCode[] = ['UNAUTHORIZED', 'TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'];
  if (input !== null) codes.push('BAD_REQUEST');
  if (access !== 'public' || method !== 'GET') codes.push('FORBIDDEN');
  if (access !== 'public') codes.push('NOT_FOUND', 'UNPROCESSABLE');
  if (access !== 'public' || method !== 'GET') codes.push('CONFLICT');
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

function errorResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(errorTable).map((code) => [
      code,
      {
        description: descriptions[code] ?? code,
        headers: waits.has(code) ? { ...rateHeaders, ...refer('Retry-After') } : rateHeaders,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const errorSchema = {
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
