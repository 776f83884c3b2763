import { z } from 'zod';
import { entityId } from './fields.ts';
import type { Plan, QuotaName } from './plans.ts';

export const usageInput = z.strictObject({
  /** Absent only for an API key, whose workspace it is. */
  workspaceId: entityId.optional(),
});

export interface QuotaUse {
  used: number;
  /** Null: any number. */
  limit: number | null;
  /** When it is counted from 0 again; null: what is deleted is not counted any more. */
  resetsAt: string | null;
}

/** What a workspace has of what its plan gives. */
export interface Usage {
  workspaceId: number;
  plan: Plan;
  /** False: this server has no quotas, and every limit is null. */
  isEnforced: boolean;
  /** The month that requests are counted in. */
  period: { start: string; end: string };
  quotas: Record<QuotaName, QuotaUse>;
}
