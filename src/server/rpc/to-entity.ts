import type { z } from 'zod';

/** What an entity is made from: columns of the same names, its moments as dates. */
type Source<Entity> = {
  [Field in keyof Entity]: Entity[Field] | (string extends Entity[Field] ? Date : never);
};

/** The entity's fields out of a row that may have more. */
export function toEntity<Shape extends z.ZodObject>(
  shape: Shape,
  row: Source<z.output<Shape>>,
): z.output<Shape> {
  const fields = Object.keys(shape.shape).map((name) => {
    const value: unknown = row[name as keyof typeof row];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields);
}
