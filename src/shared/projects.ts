import { z } from 'zod';
import { description, entityId, moment, name, slug } from './fields.ts';
import { pageFields } from './pages.ts';

/** What can be set, at the beginning and later. */
const settings = z.strictObject({ name, description });

export const projectShape = z
  .object({
    id: z.int(),
    ...settings.shape,
    slug,
    workspaceId: z.int(),
    collectionsCount: z.int(),
    apiKeysCount: z.int(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Project' });
export type Project = z.output<typeof projectShape>;

export const projectList = z.strictObject({ workspaceId: entityId.optional(), ...pageFields });
export const projectRef = z.strictObject({ id: entityId });
export const projectCreate = settings
  .partial()
  .extend({ name, workspaceId: entityId, slug: slug.optional() });
export const projectUpdate = settings.partial().extend({ id: entityId });
