import { and, asc, eq, exists, gt, isNull, not, or, sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { alertRules, alerts } from '#server/db/schema/alerts.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import type { Monitoring } from '#server/monitoring/create-monitoring.ts';
import { queueAlerts } from '#server/webhooks/queue-alerts.ts';
import { isMet, measureRules } from './measure-rules.ts';

export interface EvaluateParts {
  record: RecordStore;
  monitoring: Pick<Monitoring, 'requests' | 'host'>;
  log: Log;
  clock: () => Date;
}

type Rule = typeof alertRules.$inferSelect;
type AlertRow = typeof alerts.$inferSelect;

const rulesAtOnce = 500;

/**
 * Raises an alert for each rule whose condition is met and has none, and resolves those whose condition is met no more. Several servers may do so at the
 * same time: a rule has one active alert at most, which the record sees to.
 */
export async function evaluateRules(parts: EvaluateParts, signal?: AbortSignal): Promise<void> {
  await resolveOrphans(parts);
  let after = 0;
  while (!signal?.aborted) {
    const rules = await selectRules(parts, after);
    const last = rules.at(-1);
    if (!last) return;
    after = last.id;
    await evaluate(parts, rules);
  }
}

/** Those in force, in the order of their ids. */
async function selectRules({ record }: EvaluateParts, after: number): Promise<Rule[]> {
  const rows = await record.db
    .select({ rule: alertRules })
    .from(alertRules)
    .innerJoin(workspaces, and(eq(workspaces.id, alertRules.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(eq(alertRules.isActive, true), gt(alertRules.id, after)))
    .orderBy(asc(alertRules.id))
    .limit(rulesAtOnce);
  return rows.map(({ rule }) => rule);
}

async function evaluate({ record, monitoring, log, clock }: EvaluateParts, rules: Rule[]): Promise<void> {
  const now = clock();
  const measure = await measureRules(monitoring, record.db, { rules, now });
  const ids = rules.map(({ id }) => id);
  const active = await record.db
    .select({ ruleId: alerts.ruleId })
    .from(alerts)
    .where(and(isAnyOf(alerts.ruleId, ids), isNull(alerts.resolvedAt)));
  const raised = new Set(active.map(({ ruleId }) => ruleId));
  const judged = rules.map((rule) => ({ rule, value: measure(rule) }));
  const toRaise = judged.filter(({ rule, value }) => isMet(rule, value) && !raised.has(rule.id));
  const toResolve = judged.filter(({ rule, value }) => !isMet(rule, value) && raised.has(rule.id));
  if (toRaise.length + toResolve.length === 0) return;
  await record.write(async (db) => {
    const raised: AlertRow[] = [];
    for (const { rule, value } of toRaise)
      raised.push(...(await raise(db, { rule, value: value ?? 0, now })));
    await queueAlerts(db, 'alert.raised', { alerts: raised, now });
    await resolve(db, { ruleIds: toResolve.map(({ rule }) => rule.id), now });
  });
  for (const { rule, value } of toRaise)
    log.info('alert raised', { workspaceId: rule.workspaceId, ruleId: rule.id, metric: rule.metric, value });
}

/** None where another server was faster. */
async function raise(
  db: Database,
  { rule, value, now }: { rule: Rule; value: number; now: Date },
): Promise<AlertRow[]> {
  const { id: ruleId, workspaceId, name, type, metric, comparison, threshold, minutes } = rule;
  const told = { workspaceId, name, type, metric, comparison, threshold, minutes };
  return await db
    .insert(alerts)
    .values({ ...told, ruleId, value, raisedAt: now })
    .onConflictDoNothing()
    .returning();
}

/** The active alerts of these rules. */
export async function resolve(
  db: Database,
  { ruleIds, now }: { ruleIds: number[]; now: Date },
): Promise<void> {
  if (ruleIds.length === 0) return;
  const areActive = and(isAnyOf(alerts.ruleId, ruleIds), isNull(alerts.resolvedAt));
  const resolved = await db.update(alerts).set({ resolvedAt: now }).where(areActive).returning();
  await queueAlerts(db, 'alert.resolved', { alerts: resolved, now });
}

/** Alerts whose rule is gone or looks no more: a server may have raised one while that was decided. */
async function resolveOrphans({ record, clock }: EvaluateParts): Promise<void> {
  const inForce = record.db
    .select({ one: sql`1` })
    .from(alertRules)
    .where(and(eq(alertRules.id, alerts.ruleId), eq(alertRules.isActive, true)));
  const isOrphan = and(isNull(alerts.resolvedAt), or(isNull(alerts.ruleId), not(exists(inForce))));
  if ((await record.db.$count(alerts, isOrphan)) === 0) return;
  const now = clock();
  await record.write(async (db) => {
    const resolved = await db.update(alerts).set({ resolvedAt: now }).where(isOrphan).returning();
    await queueAlerts(db, 'alert.resolved', { alerts: resolved, now });
  });
}
