import { z } from 'zod';
import { entityId, moment } from './fields.ts';
import { plans, quotaNames } from './plans.ts';

export const usageInput = z.strictObject({
  /** Absent only for an API key, whose workspace it is. */
  workspaceId: entityId.optional(),
});

const quotaUse = z.object({
  used: z.int(),
  /** Null: any number. */
  limit: z.int().nullable(),
  /** When it is counted from 0 again; null: what is deleted is not counted any more. */
  resetsAt: moment.nullable(),
});
export type QuotaUse = z.output<typeof quotaUse>;

/** What a workspace has of what its plan gives. */
export const usageShape = z
  .object({
    workspaceId: z.int(),
    plan: z.enum(plans),
    /** False: this server has no quotas, and every limit is null. */
    isEnforced: z.boolean(),
    /** The month that requests are counted in. */
    period: z.object({ start: moment, end: moment }),
    quotas: z.record(z.enum(quotaNames), quotaUse),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usageShape>;
