import { z } from 'zod';
import { description, entityId, name } from './fields.ts';

export interface Project {
  id: number;
  name: string;
  description: string | null;
  slug: string;
  workspaceId: number;
  collectionsCount: number;
  apiKeysCount: number;
  createdAt: string;
  updatedAt: string;
}

export const projectList = z.strictObject({ workspaceId: entityId.optional() });
export const projectRef = z.strictObject({ id: entityId });
export const projectCreate = z.strictObject({
  name,
  description: description.optional(),
  workspaceId: entityId,
  slug: z
    .string()
    .trim()
    .max(128)
    .regex(/^[a-z0-9-]*$/, 'may contain a-z, 0-9 and hyphens')
    .optional(),
});
export const projectUpdate = z.strictObject({
  id: entityId,
  name: name.optional(),
  description: description.optional(),
});
