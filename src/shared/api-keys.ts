import { z } from 'zod';
import { entityId, name, timestamp } from './fields.ts';

export const permissions = ['read', 'write'] as const;
export type Permission = (typeof permissions)[number];

export interface ApiKey {
  id: number;
  name: string;
  /** The whole key: its project's members may read it. `null` when it cannot be decrypted, with the reason in `keyUnavailable`. */
  key: string | null;
  keyUnavailable: string | null;
  lastFour: string;
  projectId: number;
  permissions: Permission[];
  /** Names of the collections the key is limited to; `null`: all of the project's. */
  collections: string[] | null;
  isActive: boolean;
  lastUsed: string | null;
  expiresAt: string | null;
  createdAt: string;
}

export const apiKeyList = z.strictObject({ projectId: entityId });
export const apiKeyRef = z.strictObject({ id: entityId });
export const apiKeyCreate = z.strictObject({
  name,
  projectId: entityId,
  permissions: z.array(z.enum(permissions)).min(1, 'name at least one permission').default(['read', 'write']),
  expiresAt: timestamp.nullish(),
  collections: z.array(name).min(1).max(1_000).nullish(),
});
export const apiKeyUpdate = z.strictObject({
  id: entityId,
  name: name.optional(),
  isActive: z.boolean().optional(),
  expiresAt: timestamp.nullable().optional(),
});
