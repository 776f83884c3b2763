/**
 * The same schema, to which no object has a field that it does not name. The API's description leaves its objects open, so that fields can
 * be added; what is answered and not described is a fault of ours all the same.
 */
export function closed<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(closed) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isOpen =
    'additionalProperties' in schema || !('properties' in schema) || schema['properties'] === undefined;
  return (isOpen ? parts : { additionalProperties: false, ...parts }) as Schema;
}
