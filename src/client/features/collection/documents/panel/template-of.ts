import type { DeclaredField } from '#shared/collections.ts';

const fieldsMax = 8;

/** What a new document begins with: declared fields, and what the others have, to be filled in. Its id is made when none is written. */
export function templateOf(
  fields: { path: string; types: string[] }[],
  declared: readonly DeclaredField[],
): string {
  const types = new Map(declared.map(({ name, type }) => [name, type as string]));
  for (const {
    path,
    types: [type = 'string'],
  } of fields)
    if (!types.has(path)) types.set(path, type);
  const plain = [...types].filter(([path]) => path !== 'id' && !path.includes('.'));
  const named = plain.length > 0 ? plain : [['title', 'string'] as const];
  const empty = named.slice(0, fieldsMax).map(([path, type]) => [path, type === 'string' ? '' : null]);
  return JSON.stringify(Object.fromEntries(empty), null, 2);
}
