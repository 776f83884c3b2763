import { z } from 'zod';
import { entityId, timestamp } from './fields.ts';
import { pageFields } from './pages.ts';

/** Who acted. `nobody` is signed in as no one; `operator` is a person at the server's own command line. */
export const auditActors = ['user', 'key', 'nobody', 'operator'] as const;
export type AuditActor = (typeof auditActors)[number];

/** What an act was about. */
export const auditTargets = ['account', 'workspace', 'project', 'collection', 'api_key'] as const;
export type AuditTarget = (typeof auditTargets)[number];

export const auditOutcomes = ['done', 'refused'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

const actionCharactersMax = 64;

/** An administrative act, or one that was refused. */
export interface AuditEntry {
  id: number;
  createdAt: string;
  /** The procedure, or the check that refused: `apiKeys.create`, `auth.key`. */
  action: string;
  outcome: AuditOutcome;
  /** How many like denials within some seconds it stands for. */
  times: number;
  /** With the name it had then. */
  actor: { kind: AuditActor; id: number | null; name: string | null };
  workspaceId: number | null;
  target: { kind: AuditTarget; id: number | null; name: string | null } | null;
  /** What was changed, as it was and as it is. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** One workspace's, newest first: from `since` on and before `until`. */
export const auditEntryList = z.strictObject({
  workspaceId: entityId,
  action: z
    .string()
    .max(actionCharactersMax)
    .regex(/^[a-zA-Z.]*$/, 'must be the name of an action')
    .optional(),
  outcome: z.enum(auditOutcomes).optional(),
  actorKind: z.enum(auditActors).optional(),
  actorId: entityId.optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
  ...pageFields,
});
