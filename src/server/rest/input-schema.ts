import type { Operation } from './catalogue.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';

const noInput: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
const schemas = new WeakMap<Operation, JsonSchema>();

/** An operation's whole input as JSON Schema: what a caller may send, before defaults and conversions. Made once an operation. */
export function inputSchema(operation: Operation): JsonSchema {
  const known = schemas.get(operation);
  if (known) return known;
  const made = operation.input === null ? noInput : toJsonSchema(operation.input, 'input');
  schemas.set(operation, made);
  return made;
}

/** A field that takes a list of texts may be repeated in the query string. */
export function isList(operation: Operation, field: string): boolean {
  return formsOf(property(operation, field)).some(isListOfTexts);
}

/** A schema's forms that can stand in a query string: an object and a list of numbers cannot. */
export function textForms(schema: JsonSchema): JsonSchema {
  const forms = formsOf(schema).filter(
    (one) => one.type !== 'object' && (one.type !== 'array' || isListOfTexts(one)),
  );
  if (schema.anyOf === undefined) return schema;
  const [only] = forms;
  const { anyOf: _, ...rest } = schema;
  return forms.length === 1 && only ? { ...rest, ...only } : { ...rest, anyOf: forms };
}

function formsOf(schema: JsonSchema | undefined): JsonSchema[] {
  return schema?.anyOf ?? (schema ? [schema] : []);
}

function isListOfTexts({ type, items }: JsonSchema): boolean {
  return type === 'array' && typeof items === 'object' && 'type' in items && items.type === 'string';
}

export function property(operation: Operation, field: string): JsonSchema | undefined {
  const found = inputSchema(operation).properties?.[field];
  return typeof found === 'object' ? found : undefined;
}
