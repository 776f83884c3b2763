import type { Override } from '#shared/overrides.ts';

/** What people call an override: the name that it was given, or the query that it is of; ids that the server made say nothing to anybody. */
export function overrideName({ id, rule }: Pick<Override, 'id' | 'rule'>): string {
  return isGivenName(id) ? `“${id}”` : `of “${rule.query}”`;
}

export function isGivenName(id: string): boolean {
  return !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}
