import { causesOf } from '#server/errors.ts';

/** The name of the unique index that a failed statement ran into, or null for any other failure. */
export function violatedUnique(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if ('code' in cause && cause.code === '23505') {
      return 'constraint_name' in cause ? String(cause.constraint_name) : '';
    }
  }
  return null;
}
