import type { Permission } from '#shared/api-keys.ts';

/** Who calls: a signed-in user or an API key. */
export type Principal = UserPrincipal | KeyPrincipal;

interface Recognised {
  /** False: the record cannot be asked just now, and this is what it said last. Enough to read by, not to write. */
  isConfirmed: boolean;
}

export interface UserPrincipal extends Recognised {
  kind: 'user';
  userId: number;
  /** The stored (hashed) id of the session. */
  sessionId: string;
}

export interface KeyPrincipal extends Recognised {
  kind: 'key';
  keyId: number;
  projectId: number;
  workspaceId: number;
  /** The account that owns the workspace. */
  ownerId: number | null;
  permissions: Permission[];
  /** Collections it is limited to; null: all of its project's. */
  collectionIds: number[] | null;
}
