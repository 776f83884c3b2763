import { z } from 'zod';
import { documentationOf } from '#shared/documented-as.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** `input`: what a caller may send, before defaults and conversions. `output`: what is answered. */
type Io = 'input' | 'output';

/** A schema as JSON Schema. Those that it names by an id (`.meta({ id })`) stand under `$defs`. */
export function toJsonSchema(schema: z.core.$ZodType, io: Io): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => improve(zodSchema, jsonSchema, io),
  });
  delete made.$schema;
  delete made.default;
  return made;
}

/** Adds what the conversion cannot know. */
function improve(zodSchema: z.core.$ZodTypes, jsonSchema: JsonSchema, io: Io): void {
  const shown = documentationOf(zodSchema, io);
  if (shown) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, toJsonSchema(shown, io));
  }
  // A parameter that says its type is read from text too; the text form goes without saying.
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  // The limits of whole numbers as such are no news.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (io === 'output') {
    forAnswer(jsonSchema);
    return;
  }
  addDefault(zodSchema, jsonSchema);
  const said = [jsonSchema.description, ...combinedRules(zodSchema)].filter((text) => text !== undefined);
  if (said.length > 0) jsonSchema.description = said.join('; ');
}

/** What is asked of several values together, for which JSON Schema has no words: as whoever breaks it is told. */
export function combinedRules({ _zod: { def } }: z.core.$ZodTypes): string[] {
  if (def.type !== 'object' && def.type !== 'array') return [];
  return (def.checks ?? []).flatMap(({ _zod }) => {
    const { check, path = [], error } = _zod.def as z.core.$ZodCustomDef;
    if (check !== 'custom' || error === undefined) return [];
    const told = error({ code: 'custom', input: undefined, path: [] } as never);
    const message = typeof told === 'string' ? told : told?.message;
    return message === undefined ? [] : [[path.join('.'), message].filter(Boolean).join(': ')];
  });
}

function addDefault(zodSchema: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
  const said = z.globalRegistry.get(zodSchema)?.['default'];
  if (said !== undefined) jsonSchema.default = said;
}

/** Answers have no defaults, their dates need no pattern beside their format, and fields may be added to them. */
function forAnswer(jsonSchema: JsonSchema): void {
  delete jsonSchema.default;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
