import { z } from 'zod';
import type { Operation } from './catalogue.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const noInput: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
const schemas = new WeakMap<Operation, JsonSchema>();

/** An operation's whole input as JSON Schema: what a caller may send, before defaults and conversions. Made once an operation. */
export function inputSchema(operation: Operation): JsonSchema {
  const known = schemas.get(operation);
  if (known) return known;
  const made = operation.input === null ? noInput : toJsonSchema(operation.input);
  schemas.set(operation, made);
  return made;
}

/** A field that takes a list of texts may be repeated in the query string. */
export function isList(operation: Operation, field: string): boolean {
  const schema = property(operation, field);
  const alternatives = schema?.anyOf ?? (schema ? [schema] : []);
  return alternatives.some(
    (one) =>
      one.type === 'array' &&
      typeof one.items === 'object' &&
      'type' in one.items &&
      one.items.type === 'string',
  );
}

export function property(operation: Operation, field: string): JsonSchema | undefined {
  const found = inputSchema(operation).properties?.[field];
  return typeof found === 'object' ? found : undefined;
}

function toJsonSchema(input: z.ZodType): JsonSchema {
  const {
    $schema: _,
    default: __,
    ...schema
  } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}
