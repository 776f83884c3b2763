import { limits } from '#shared/limits.ts';
import type { Operation } from './catalogue.ts';
import { takesKey } from './import/upload-types.ts';
import { headerOf } from './input.ts';
import { inputSchema, property, textForms } from './input-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** A parameter in the words of OpenAPI. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export function describeParameters(operation: Operation): Parameter[] {
  return [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)];
}

function pathParameters(operation: Operation): Parameter[] {
  return operation.parameters.map(({ name, field }) => ({
    name,
    in: 'path',
    required: true,
    schema: property(operation, field) ?? { type: 'string' },
    ...exampleOf(operation, field),
  }));
}

function queryParameters(operation: Operation): Parameter[] {
  const required = inputSchema(operation).required ?? [];
  return queryFields(operation).map((name) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: textForms(property(operation, name) ?? {}),
    ...exampleOf(operation, name),
  }));
}

/** Any operation of a collection can be tried on the demo's films. */
function exampleOf({ example }: Operation, field: string): Pick<Parameter, 'example'> {
  const value = example[field] ?? (field === 'collection' ? 'films' : undefined);
  return value === undefined ? {} : { example: value };
}

/** What a header says. A body may be packed, whatever it is. */
function headerParameters(operation: Operation): Parameter[] {
  const { body, stream } = operation;
  const packed = body !== 'none' || stream === 'import' ? [contentEncoding] : [];
  const keys = stream === 'import' && takesKey(operation) ? [idempotencyKey] : [];
  return [...packed, ...keys, ...operation.headers.map((field) => fieldHeader(operation, field))];
}

function fieldHeader(operation: Operation, field: string): Parameter {
  const schema = property(operation, field) ?? { type: 'string' };
  return { name: headerOf(field), in: 'header', required: false, schema };
}

const contentEncoding: Parameter = {
  name: 'Content-Encoding',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['gzip', 'identity'] },
};

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKeyCharactersMax,
    description:
      'The same upload with the same key, sent again within a day, adds nothing twice and goes on where it ended',
  },
};

export function queryFields(operation: Operation): readonly string[] {
  if (operation.query !== 'all') return operation.query;
  const inPath = new Set(operation.parameters.map(({ field }) => field));
  return Object.keys(inputSchema(operation).properties ?? {}).filter((name) => !inPath.has(name));
}
