import { z } from 'zod';
import { accountActions } from './account-actions.ts';
import { auditActors, auditOutcomes } from './audit-names.ts';
import { moment } from './fields.ts';
import { pageFields } from './pages.ts';

/** That somebody signed in to an account, tried to, or changed how one signs in. */
export const accountEventShape = z
  .object({
    id: z.int(),
    createdAt: moment,
    action: z.enum(accountActions),
    /** `refused`: a wrong password or code, or a try that had to wait. */
    outcome: z.enum(auditOutcomes),
    /** How many like tries within some seconds it stands for. */
    times: z.int(),
    /** `nobody` was not signed in, as who asks for a reset link. */
    actor: z.enum(auditActors),
    /** What was shown beside the password; null: nothing, or nothing that was taken. */
    by: z.enum(['app', 'recovery code']).nullable(),
    /** Null for an operator's. */
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'AccountEvent' });
export type AccountEvent = z.output<typeof accountEventShape>;

/** The newest first. */
export const accountActivityList = z.strictObject(pageFields);
