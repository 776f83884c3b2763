import { PLAN_LIMITS, type Plan, plans } from '#shared/plans.ts';
import { type Exceeded, type QuotaError, quotaExceeded } from './quota-error.ts';

/**
 * Documents and their bytes are checked by the record, in the statement that writes them: `assert_document_quotas` sums the counts of the
 * workspace's collections once its turn has come, and fails the statement.
 */

/** What the record is told of the plans: JSON by plan. */
export const documentLimits: string = JSON.stringify(
  Object.fromEntries(
    plans.map((plan) => {
      const { documents, bytes } = PLAN_LIMITS[plan];
      return [plan, { documents, bytes }];
    }),
  ),
);

/** The code that the record's function raises. */
const exceededCode = 'VQ001';

/** The statement's failure for the caller; null: it failed for another reason. */
export function toQuotaError(error: unknown): QuotaError | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== exceededCode) return null;
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : '{}';
  return quotaExceeded(JSON.parse(detail) as Exceeded & { plan: Plan });
}
