import { z } from 'zod';
import { documentationOf } from '#shared/documented-as.ts';
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

function toJsonSchema(input: z.core.$ZodType): JsonSchema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: improve });
  delete schema.$schema;
  delete schema.default;
  return schema;
}

/** Adds what the conversion cannot know. */
function improve({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const shown = documentationOf(zodSchema);
  if (shown) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, toJsonSchema(shown));
  }
  // A parameter that says its type is read from text too; the text form goes without saying.
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  // The limits of whole numbers as such are no news.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
  const said = z.globalRegistry.get(zodSchema)?.['default'];
  if (said !== undefined) jsonSchema.default = said;
}
