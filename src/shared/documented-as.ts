import type { z } from 'zod';

const shown = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** For a schema that takes more than people should send: the API's description shows `as` in its place. */
export function documentedAs<Schema extends z.core.$ZodType>(schema: Schema, as: z.core.$ZodType): Schema {
  shown.set(schema, as);
  return schema;
}

/** What is shown in a schema's place, if something is. */
export function documentationOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return shown.get(schema);
}
