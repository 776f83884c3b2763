import { and, asc, eq, exists, gt, isNull, not, or, sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { alertRules, alerts } from '#server/db/schema/alerts.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import { queueAlerts } from '#server/webhooks/queue-alerts.ts';
import { limits } from '#shared/limits.ts';
import { type Figures, isMet, measureRules } from './measure-rules.ts';

export interface EvaluateParts {
  record: RecordStore;
  monitoring: Figures;
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
    const raised = await raise(db, { met: toRaise, now });
    await queueAlerts(db, 'alert.raised', { alerts: raised, now });
    await resolve(db, { ruleIds: toResolve.map(({ rule }) => rule.id), now });
  });
  for (const { rule, value } of toRaise)
    log.info('alert raised', { workspaceId: rule.workspaceId, ruleId: rule.id, metric: rule.metric, value });
}

interface Met {
  rule: Rule;
  value: number | null;
}

/** Answers those that no other server was faster with. In one statement. Rules that are gone or paused by now drop out, and keep none of the others; the lock keeps these until it is done. */
async function raise(db: Database, { met, now }: { met: Met[]; now: Date }): Promise<AlertRow[]> {
  if (met.length === 0) return [];
  const told = JSON.stringify(met.map(({ rule, value }) => ({ ...rule, value: value ?? 0 })));
  const inserted = await db.execute<{ id: string }>(
    sql`with told as (
          select * from json_to_recordset(${told}::text::json) as told (id bigint, "workspaceId" bigint, name text, type text,
            metric text, comparison text, threshold double precision, minutes integer, value double precision)
        ),
          living as (select id from ${workspaces} where id in (select "workspaceId" from told) order by id for key share),
          looking as (
        select id from ${alertRules} where id in (select id from told) and is_active
          and workspace_id in (select id from living) order by id for share
        )
        insert into ${alerts} (workspace_id, rule_id, name, type, metric, comparison, threshold, minutes, value, raised_at)
        select "workspaceId", id, name, type, metric, comparison, threshold, minutes, value, ${now.toISOString()}::timestamptz
        from told where id in (select id from looking) order by id
        on conflict do nothing returning id`,
  );
  await dropOldest(db, [...new Set(met.map(({ rule }) => rule.workspaceId))]);
  const ids = inserted.map(({ id }) => Number(id));
  return await db.select().from(alerts).where(isAnyOf(alerts.id, ids));
}

/** Of what is resolved, a workspace has as many as are kept: a condition may be met every other minute. */
async function dropOldest(db: Database, workspaceIds: number[]): Promise<void> {
  await db.execute(
    sql`delete from ${alerts} using (
          select id as in_workspace, (
            select id from ${alerts} as own where own.workspace_id = ${workspaces}.id
            order by id desc offset ${limits.alertsKeptMax} limit 1) as newest
          from ${workspaces} where ${isAnyOf(workspaces.id, workspaceIds)}
        ) as beyond
        where workspace_id = in_workspace and id <= newest and resolved_at is not null`,
  );
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
