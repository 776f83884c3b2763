import type { ZodType } from 'zod';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';

interface DescribedOutput {
  /** With references to named schemas, as they stand in the document. */
  schema: JsonSchema;
  /** Those that have an id of their own, by it. */
  named: Record<string, JsonSchema>;
}

const known = new WeakMap<ZodType, DescribedOutput>();

/** What a success answers, as JSON Schema. Made once a schema. */
export function describeOutput(output: ZodType): DescribedOutput {
  const made = known.get(output) ?? describe(output);
  known.set(output, made);
  return made;
}

function describe(output: ZodType): DescribedOutput {
  const text = JSON.stringify(toJsonSchema(output, 'output'));
  const { $defs = {}, ...schema } = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  return { schema, named: $defs };
}
