import { z } from 'zod';
import { description, entityId, moment, name, slug } from './fields.ts';
import { pageFields } from './pages.ts';

/** What can be set, at the beginning and later. */
const settings = z.strictObject({ name, description });

export const workspaceShape = z
  .object({
    id: z.int(),
    ...settings.shape,
    slug,
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.output<typeof workspaceShape>;

/** Ordered by power: each role may do what those before it may. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const workspaceList = z.strictObject(pageFields);
export const workspaceRef = z.strictObject({ id: entityId });
export const workspaceCreate = settings.partial().extend({ name, slug: slug.optional() });
export type WorkspaceCreate = z.output<typeof workspaceCreate>;
export const workspaceUpdate = settings.partial().extend({ id: entityId });
