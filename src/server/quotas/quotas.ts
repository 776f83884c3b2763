import { sql } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { PLAN_LIMITS, type QuotaName, quotaNames } from '#shared/plans.ts';
import type { QuotaUse, Usage } from '#shared/usage.ts';
import { readHeld } from './held.ts';
import { monthOf } from './month.ts';
import { quotaExceeded } from './quota-error.ts';
import { RequestQuota } from './request-quota.ts';

/** How much more of what a workspace has by a change. */
type Added = Partial<Record<Exclude<QuotaName, 'requests'>, number>>;

export interface Quotas {
  readonly requests: RequestQuota;
  /**
   * Asked in the transaction of a change, once all it adds is written and all it locks is locked: changes of one workspace take turns
   * from here to their end, so that no two share the last place.
   * @throws QuotaError UNPROCESSABLE
   */
  assertRoom(db: Database, workspaceId: number, added: Added): Promise<void>;
  usage(db: ReadDatabase, workspaceId: number): Promise<Usage>;
}

export function createQuotas(parts: {
  record: RecordStore;
  log: Log;
  clock: () => Date;
  settings: Pick<Settings, 'quotas'>;
}): Quotas {
  const { clock, settings } = parts;
  const isEnforced = settings.quotas;
  const requests = new RequestQuota({ ...parts, isEnforced });
  return {
    requests,
    async assertRoom(db, workspaceId, added) {
      if (!isEnforced) return;
      await db.execute(sql`select lock_quotas(${workspaceId}::bigint)`);
      const held = await readHeld(db, workspaceId);
      for (const [quota, more] of Object.entries(added) as [keyof Added, number][]) {
        const limit = PLAN_LIMITS[held.plan][quota];
        if (more === 0 || limit === null || held[quota] <= limit) continue;
        throw quotaExceeded({ quota, plan: held.plan, used: held[quota] - more, limit, added: more });
      }
    },
    async usage(db, workspaceId) {
      const { plan, ...held } = await readHeld(db, workspaceId);
      const used = { ...held, requests: await requests.used(db, workspaceId) };
      const { start, end } = monthOf(clock());
      const useOf = (quota: QuotaName): QuotaUse => ({
        used: used[quota],
        limit: isEnforced ? PLAN_LIMITS[plan][quota] : null,
        resetsAt: quota === 'requests' ? end.toISOString() : null,
      });
      const uses = quotaNames.map((quota) => [quota, useOf(quota)]);
      return {
        workspaceId,
        plan,
        isEnforced,
        period: { start: start.toISOString(), end: end.toISOString() },
        quotas: Object.fromEntries(uses) as Usage['quotas'],
      };
    },
  };
}
