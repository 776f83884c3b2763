import { AppError } from '#server/errors.ts';
import type { Plan, QuotaName } from '#shared/plans.ts';

/** What a workspace has, what its plan gives, and how much more was asked for. */
export interface Exceeded {
  quota: Exclude<QuotaName, 'requests'>;
  plan: Plan;
  used: number;
  limit: number;
  added: number;
}

const nouns: Record<QuotaName, string> = {
  collections: 'collections',
  documents: 'documents',
  bytes: 'bytes of documents',
  keys: 'API keys',
  members: 'members',
  requests: 'requests',
};

/** The plan of the workspace does not give as much: no further try does better. */
export class QuotaError extends AppError {}

/** 422, with which quota it is, how much of it is used and what there is to do. */
export function quotaExceeded({ quota, plan, used, limit, added }: Exceeded): QuotaError {
  const noun = nouns[quota];
  const message = `This workspace uses ${used} of the ${limit} ${noun} of its plan "${plan}", and this would add ${added}: delete some, or ask whoever runs this server for a larger plan`;
  return new QuotaError('UNPROCESSABLE', message, { details: [detailOf(quota, used, limit)] });
}

/** 429 until the month is over. */
export function requestsExceeded(
  { plan, used, limit, added }: Omit<Exceeded, 'quota'>,
  { resetsAt, now }: { resetsAt: Date; now: Date },
): QuotaError {
  const these = added === 1 ? '' : `, and these would be ${added}`;
  const message = `This workspace has used ${used} of the ${limit} requests a month of its plan "${plan}"${these}: wait until ${resetsAt.toISOString()}, or ask whoever runs this server for a larger plan`;
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
  const details = [detailOf('requests', used, limit)];
  return new QuotaError('TOO_MANY_REQUESTS', message, { details, retryAfterSeconds });
}

function detailOf(quota: QuotaName, used: number, limit: number) {
  return { path: `quotas.${quota}`, message: `used ${used}, limit ${limit}` };
}
