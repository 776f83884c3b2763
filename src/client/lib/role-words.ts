import type { Role } from '#shared/roles.ts';

/** What each role may do, in the words that people choose one by. */
export const roleWords: Record<Role, { label: string; may: string }> = {
  viewer: { label: 'Viewer', may: 'Searches and reads documents' },
  editor: { label: 'Editor', may: 'Searches, and changes documents, collections and rules' },
  admin: { label: 'Admin', may: 'As an editor; also makes API keys, deletes projects and invites members' },
  owner: {
    label: 'Owner',
    may: 'As an admin; also makes owners, reads the audit log and deletes the workspace',
  },
};

/** "as an editor" */
export function asRole(role: Role): string {
  return `as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;
}
