import { z } from 'zod';
import { description, entityId, moment, name, slug } from './fields.ts';
import { pageFields } from './pages.ts';
import { roles } from './roles.ts';

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

/** What the caller is in a workspace, and whom it shares that with. */
export const membershipShape = z.object({
  role: z.enum(roles),
  members: z.int(),
  owners: z.int(),
});
export type Membership = z.output<typeof membershipShape>;

/** A workspace as one of its members sees it. */
export const ownWorkspaceShape = workspaceShape.extend({ role: z.enum(roles) }).meta({ id: 'OwnWorkspace' });
export type OwnWorkspace = z.output<typeof ownWorkspaceShape>;

export const workspaceList = z.strictObject(pageFields);
export const workspaceRef = z.strictObject({ id: entityId });
export const workspaceCreate = settings.partial().extend({ name, slug: slug.optional() });
export type WorkspaceCreate = z.output<typeof workspaceCreate>;
export const workspaceUpdate = settings.partial().extend({ id: entityId });
