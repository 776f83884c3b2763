import type { z } from 'zod';

const shown = new WeakMap<z.core.$ZodType, z.core.$ZodType>();
const made = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** For a schema that takes more than people should send: the API's description shows `as` in its place. */
export function documentedAs<Schema extends z.core.$ZodType>(schema: Schema, as: z.core.$ZodType): Schema {
  shown.set(schema, as);
  return schema;
}

/** For a schema that makes something else of what it is sent: in answers the API's description shows `as` in its place. */
export function answeredAs<Schema extends z.core.$ZodType>(schema: Schema, as: z.core.$ZodType): Schema {
  made.set(schema, as);
  return schema;
}

/** What is shown in a schema's place, if something is. */
export function documentationOf(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
): z.core.$ZodType | undefined {
  return io === 'output' ? (made.get(schema) ?? shown.get(schema)) : shown.get(schema);
}
