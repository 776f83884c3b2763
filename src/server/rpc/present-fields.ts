import type { z } from 'zod';

/**
 * The schema, but that tRPC has it look only at the fields that are there: a search gives two or three of its 27 parameters. What is
 * accepted, what it becomes and what is said of a fault are the schema's. For objects without checks over several fields, whose fields
 * are read at once and default to what cannot be changed.
 */
export function presentFields<Schema extends z.ZodObject>(schema: Schema): Schema {
  const { defaults, required } = absentFields(schema);
  const parse = (input: unknown) =>
    parsePresent(schema, { defaults, required }, input) ?? schema.parse(input);
  return Object.assign(schema.clone(), { parseAsync: async (input: unknown) => parse(input) });
}

interface Absent {
  /** What absent fields become. */
  defaults: Record<string, unknown>;
  required: string[];
}

function absentFields({ shape }: z.ZodObject): Absent {
  const defaults: Absent['defaults'] = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape as Fields)) {
    const absent = field.safeParse(undefined);
    if (!absent.success) required.push(name);
    else if (absent.data !== undefined) defaults[name] = absent.data;
  }
  return { defaults, required };
}

type Fields = Record<string, z.ZodType>;

/** Null: the schema itself has to look. */
function parsePresent(
  { shape }: z.ZodObject,
  { defaults, required }: Absent,
  input: unknown,
): Record<string, unknown> | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const parsed = { ...defaults };
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || !Object.hasOwn(shape, name)) return null;
    const field = (shape as Fields)[name]?.safeParse(value);
    if (!field?.success) return null;
    parsed[name] = field.data;
  }
  return required.every((name) => Object.hasOwn(parsed, name)) ? parsed : null;
}
