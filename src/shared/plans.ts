/** What is counted of a workspace. `bytes`: of its documents as they are stored; `requests`: over REST in a calendar month (UTC). */
export const quotaNames = ['collections', 'documents', 'bytes', 'keys', 'members', 'requests'] as const;
export type QuotaName = (typeof quotaNames)[number];

export const plans = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

const gigabyte = 1024 ** 3;

/** How much of it a workspace may have, by its plan; null: any number. The landing page tells of these. */
export const PLAN_LIMITS: Readonly<Record<Plan, Readonly<Record<QuotaName, number | null>>>> = {
  free: {
    collections: 5,
    documents: 10_000,
    bytes: gigabyte / 4,
    keys: 5,
    members: 3,
    requests: 10_000,
  },
  starter: {
    collections: 25,
    documents: 100_000,
    bytes: 2 * gigabyte,
    keys: 25,
    members: 10,
    requests: 100_000,
  },
  professional: {
    collections: 250,
    documents: 1_000_000,
    bytes: 20 * gigabyte,
    keys: 250,
    members: 50,
    requests: 1_000_000,
  },
  enterprise: {
    collections: null,
    documents: null,
    bytes: null,
    keys: null,
    members: null,
    requests: null,
  },
};
