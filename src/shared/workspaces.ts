import { z } from 'zod';
import { description, entityId, name } from './fields.ts';

export interface Workspace {
  id: number;
  name: string;
  description: string | null;
  slug: string;
  createdAt: string;
  updatedAt: string;
}

/** Ordered by power: each role may do what those before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

const slug = z
  .string()
  .trim()
  .max(128)
  .regex(/^[a-z0-9-]*$/, 'may contain a-z, 0-9 and hyphens');

export const workspaceCreate = z.strictObject({
  name,
  description: description.optional(),
  slug: slug.optional(),
});
export const workspaceUpdate = z.strictObject({
  id: entityId,
  name: name.optional(),
  description: description.optional(),
});
export const workspaceRef = z.strictObject({ id: entityId });
