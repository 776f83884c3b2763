import { AppError } from '#server/errors.ts';
import type { Access } from '#server/rpc/procedure-meta.ts';
import type { Answer } from '#server/wire/answer.ts';
import { corsHeaders, preflightHeaders } from '#server/wire/cors.ts';
import type { PlaygroundTab } from '#shared/playground.ts';
import { catalogue, type Operation } from './catalogue.ts';
import { type DescribedAnswers, describeAnswers } from './describe-answers.ts';
import { errorResponses, errorSchema } from './describe-errors.ts';
import { headers } from './describe-headers.ts';
import { describeParameters, type Parameter, queryFields } from './describe-parameters.ts';
import { uploadTypesOf } from './import/upload-types.ts';
import { inputSchema, property } from './input-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { countText, describeLimits, sizeText } from './limits-text.ts';
import { describeOutput } from './output-schema.ts';

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
  requestBody?: {
    description?: string;
    required: boolean;
    content: Record<string, { schema: JsonSchema; example?: unknown }>;
  };
  responses: DescribedAnswers;
  /** Where the console's playground has it. */
  'x-playground'?: PlaygroundTab;
}

interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, unknown>;
  'x-limits': ReturnType<typeof describeLimits>;
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
      description:
        'Semantic search over your own documents: by keyword, by meaning, or both. Callers show an API key (`X-API-Key`); who is signed in to the console needs none there. Errors are all of one shape, `Error`. All limits stand under `x-limits`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      headers,
      schemas: namedSchemas(operations),
      responses: errorResponses(),
    },
    'x-limits': describeLimits(),
  };
}

/** Those that operations refer to, each once. */
export function namedSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const named = operations.map(({ output }) => (output === null ? {} : describeOutput(output).named));
  return Object.assign({ Error: errorSchema }, ...named);
}

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'vectora_session',
    description:
      'The console’s session; over https the cookie is called `__Host-vectora_session`. Signing in sets it, any answer to it may renew it (`Set-Cookie`), and signing out empties the browser’s cache with it (`Clear-Site-Data`).',
  },
};

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
    description: `${operation.description}\n\n${accessOf[operation.access]}`.trim(),
    security: securityOf[operation.access],
    parameters: describeParameters(operation),
    ...requestBody(operation),
    responses: describeAnswers(operation),
    ...(operation.playground && { 'x-playground': operation.playground }),
  };
}

function requestBody(operation: Operation): Pick<DescribedOperation, 'requestBody'> {
  const { body, stream, bodyLimits } = operation;
  if (stream === 'import') {
    const content = uploadTypesOf(operation).map((type) => [
      type,
      { schema: uploadSchemas[type] ?? {}, ...(type === 'application/json' && rowsOf(operation)) },
    ]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (body === 'none') return {};
  const content =
    body === 'fields'
      ? { schema: bodyFields(operation), example: bodyExample(operation) }
      : { schema: property(operation, body.as) ?? {}, example: operation.example[body.as] };
  const description = `At most ${sizeText(bodyLimits.bytesMax)} with ${countText(bodyLimits.valuesMax)} values, unpacked`;
  return { requestBody: { description, required: true, content: { 'application/json': content } } };
}

function rowsOf({ exampleRows }: Operation) {
  return exampleRows && { example: exampleRows };
}

const uploadSchemas: Record<string, JsonSchema> = {
  'application/json': { type: 'array', items: { type: 'object' } },
  'application/x-ndjson': { type: 'string', description: 'One JSON object a line' },
  'text/csv': { type: 'string', description: 'A table, whose first line names the fields' },
  'text/tab-separated-values': { type: 'string', description: 'The same with tabs' },
};

function bodyFields(operation: Operation): JsonSchema {
  const elsewhere = fieldsElsewhere(operation);
  const { properties = {}, required = [], ...schema } = inputSchema(operation);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.has(name))),
    required: required.filter((name) => !elsewhere.has(name)),
  };
}

function bodyExample(operation: Operation): Record<string, unknown> {
  const elsewhere = fieldsElsewhere(operation);
  return Object.fromEntries(Object.entries(operation.example).filter(([name]) => !elsewhere.has(name)));
}

/** Those that the address gives. */
function fieldsElsewhere(operation: Operation): ReadonlySet<string> {
  return new Set([...operation.parameters.map(({ field }) => field), ...queryFields(operation)]);
}
