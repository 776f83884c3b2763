import type { Permission } from '#shared/api-keys.ts';

/** Who calls: a signed-in user or an API key. */
export type Principal = UserPrincipal | KeyPrincipal;

export interface UserPrincipal {
  kind: 'user';
  userId: number;
  /** The stored (hashed) id of the session. */
  sessionId: string;
}

export interface KeyPrincipal {
  kind: 'key';
  keyId: number;
  projectId: number;
  workspaceId: number;
  permissions: Permission[];
  /** Collections it is limited to; null: all of its project's. */
  collectionIds: number[] | null;
}
