import type { HeaderReader } from './header-reader.ts';

/** Whether a key is presented, good or bad. */
export function hasKey(headers: HeaderReader): boolean {
  return headers.get('x-api-key') !== null || bearer.test(headers.get('authorization') ?? '');
}

const bearer = /^bearer(?: +(.*))?$/i;

/** The different keys that are presented; an empty or doubled one is a bad key. */
export function findKeys(headers: HeaderReader): string[] {
  const given = bearer.exec(headers.get('authorization') ?? '');
  const own = headers.get('x-api-key');
  const keys = new Set<string>();
  if (own !== null) keys.add(own);
  if (given !== null) keys.add(given[1] ?? '');
  return [...keys];
}
