/**
 * The name of the unique index that a failed statement ran into, or null for any other failure.
 * The driver's error may be the cause of drizzle's.
 */
export function violatedUnique(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && current.code === '23505') {
      return 'constraint_name' in current ? String(current.constraint_name) : '';
    }
    current = current.cause;
  }
  return null;
}
