import { z } from 'zod';
import { auditActors, auditOutcomes, auditTargets } from './audit-names.ts';
import { entityId, moment, timestamp } from './fields.ts';
import { pageFields } from './pages.ts';

const actionCharactersMax = 64;

const changed = z.record(z.string(), z.unknown()).nullable();

/** An administrative act, or one that was refused. */
export const auditEntryShape = z
  .object({
    id: z.int(),
    createdAt: moment,
    /** The procedure, or the check that refused: `apiKeys.create`, `auth.key`. */
    action: z.string(),
    outcome: z.enum(auditOutcomes),
    /** How many like denials within some seconds, or like exports within a minute, it stands for. */
    times: z.int(),
    /** With the name it had then. */
    actor: z.object({ kind: z.enum(auditActors), id: z.int().nullable(), name: z.string().nullable() }),
    workspaceId: z.int().nullable(),
    target: z
      .object({ kind: z.enum(auditTargets), id: z.int().nullable(), name: z.string().nullable() })
      .nullable(),
    /** What was changed, as it was and as it is. */
    before: changed,
    after: changed,
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntryShape>;

/** Which of one workspace's: from `since` on and before `until`. */
const chosen = {
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
};

/** The newest first. */
export const auditEntryList = z.strictObject({ ...chosen, ...pageFields });
export const auditEntryTotal = z.strictObject(chosen);
