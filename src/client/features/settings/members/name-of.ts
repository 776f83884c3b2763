import type { Member } from '#shared/members.ts';

/** "Ada Lovelace", or the username of who has given no name. */
export function nameOf({ firstName, lastName, username }: Member): string {
  return [firstName, lastName].filter(Boolean).join(' ') || username;
}
