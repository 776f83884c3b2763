import { z } from 'zod';
import { email } from './accounts.ts';
import { entityId, moment } from './fields.ts';
import { pageFields } from './pages.ts';
import { roles } from './roles.ts';
import { workspaceShape } from './workspaces.ts';

/** `revoked` also when whoever invited may not do so any more. */
export const invitationStates = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** An invitation as the workspace's admins see it. */
export const invitationShape = z
  .object({
    id: z.int(),
    workspaceId: z.int(),
    role: z.enum(roles),
    /** Whose account alone may accept it; null: whoever has the link. */
    email: z.string().nullable(),
    state: z.enum(invitationStates),
    /** Who made it, by username; null: the account is gone. */
    invitedBy: z.string().nullable(),
    expiresAt: moment,
    createdAt: moment,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof invitationShape>;

/** What became of the letter: `off` where the server sends none, or there is no address. */
export const letterStates = ['sent', 'failed', 'off'] as const;

/** The one answer that has the link. */
export const newInvitationShape = invitationShape.extend({
  token: z.string(),
  /** Where people open it. */
  url: z.string(),
  letter: z.enum(letterStates),
});
export type NewInvitation = z.output<typeof newInvitationShape>;

/** An invitation as whoever has its link sees it: once it has ended, no more than why. */
export const invitationLinkShape = z.object({
  state: z.enum(invitationStates),
  role: z.enum(roles),
  workspace: z.object({ id: z.int(), name: z.string() }).nullable(),
  invitedBy: z.string().nullable(),
  email: z.string().nullable(),
  expiresAt: moment,
});
export type InvitationLink = z.output<typeof invitationLinkShape>;

/** What the caller is a member of now. */
export const acceptedInvitationShape = z.object({ workspace: workspaceShape, role: z.enum(roles) });

export const invitationList = z.strictObject({ workspaceId: entityId, ...pageFields });
export const invitationRef = z.strictObject({ id: entityId });
export const invitationCreate = z.strictObject({
  workspaceId: entityId,
  role: z.enum(roles),
  email: email.optional(),
});
/** As a form has it: an empty email is none. */
export const invitationForm = invitationCreate
  .pick({ role: true })
  .extend({ email: z.preprocess((given) => (given === '' ? undefined : given), email.optional()) });
/** What stands behind `/invitations/`. */
export const invitationToken = z.strictObject({
  token: z.string().min(1, 'is required').max(100, 'must be at most 100 characters'),
});
