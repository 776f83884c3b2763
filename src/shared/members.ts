import { z } from 'zod';
import { entityId, moment } from './fields.ts';
import { pageFields } from './pages.ts';
import { roles } from './roles.ts';

/** An account in a workspace. */
export const memberShape = z
  .object({
    /** The account's. */
    id: z.int(),
    username: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string(),
    role: z.enum(roles),
    /** Since when it is a member. */
    createdAt: moment,
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof memberShape>;

export const memberList = z.strictObject({ workspaceId: entityId, ...pageFields });
export const memberRef = z.strictObject({ workspaceId: entityId, userId: entityId });
export const memberUpdate = memberRef.extend({ role: z.enum(roles) });
