import { newSettings } from '#client/features/collections/collection-fields.tsx';
import type { User } from '#shared/accounts.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { CollectionWithProgress } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';

/** Entities as the server sends them, with only what a test cares about spelt out. */

const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };

export const ada: User = {
  id: 1,
  email: 'ada@example.com',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  createdAt: times.createdAt,
};

export function workspaceRow(id: number, name: string): OwnWorkspace {
  return { id, name, description: null, slug: `workspace-${id}`, role: 'owner', ...times };
}

export function projectRow(id: number, name: string, workspaceId: number): Project {
  return {
    id,
    name,
    description: null,
    slug: `project-${id}`,
    workspaceId,
    collectionsCount: 0,
    apiKeysCount: 0,
    ...times,
  };
}

export function collectionRow(id: number, name: string, documentCount = 0): CollectionWithProgress {
  return {
    id,
    ...newSettings,
    name,
    description: null,
    dimension: 768,
    metric: 'cosine',
    projectId: 1,
    metadata: null,
    documentCount,
    model: 'builtin',
    upgradedCount: 0,
    toUpgradeCount: 0,
    isActive: true,
    ...times,
  };
}

export function apiKeyRow(id: number, name: string, projectId = 1): ApiKey {
  return {
    id,
    name,
    key: `${'•'.repeat(32)}000${id}`,
    lastFour: `000${id}`,
    projectId,
    permissions: ['read', 'write'],
    collections: null,
    isActive: true,
    lastUsed: null,
    requestsLast24h: 0,
    former: null,
    expiresAt: null,
    createdAt: times.createdAt,
  };
}
