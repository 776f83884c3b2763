import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { SettingsError } from '#server/settings-error.ts';

/** What is wrong with a file of the model's directory, for whoever started the server. */
export function modelFault(file: string, what: string): SettingsError {
  return new SettingsError(`EMBEDDINGS_MODEL: ${file} ${what}`);
}

/** A JSON file of the model's directory; null: it is not there. @throws SettingsError it is not as it should be */
export async function findModelJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await textOf(file);
  if (text === null) return null;
  const parsed = schema.safeParse(parsedJson(file, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'its content';
  throw modelFault(file, `is not as it should be: ${place}: ${issue?.message}`);
}

/** The same of a file that has to be there. */
export async function getModelJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const found = await findModelJson(file, schema);
  if (found === null) throw modelFault(file, 'is missing');
  return found;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw modelFault(file, `cannot be read: ${message}`);
  }
}

function parsedJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw modelFault(file, `is not JSON: ${(error as Error).message}`);
  }
}
