import { and, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { resolve } from '#server/alerts/evaluate-rules.ts';
import { measureRules } from '#server/alerts/measure-rules.ts';
import { alertRules } from '#server/db/schema/alerts.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import {
  type AlertRule,
  alertRuleCreate,
  alertRuleList,
  alertRuleRef,
  alertRuleShape,
  alertRuleUpdate,
  isReachable,
  unreachable,
} from '#shared/alerts.ts';
import { limits } from '#shared/limits.ts';
import { getAlertRule } from '../get-alert-rule.ts';
import { readPage } from '../read-page.ts';
import { changesOf } from '../record-act.ts';
import { getWorkspace, type MemberContext, type WorkspaceRow } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

type AlertRuleRow = typeof alertRules.$inferSelect;

/** With what their metrics are now. */
async function toAlertRules(
  { deps, db }: Pick<MemberContext, 'deps' | 'db'>,
  rows: AlertRuleRow[],
): Promise<AlertRule[]> {
  const measure = await measureRules(deps.monitoring, db, { rules: rows, now: deps.clock() });
  return rows.map((row) => toEntity(alertRuleShape, { ...row, value: measure(row) }));
}

async function toAlertRule(ctx: Pick<MemberContext, 'deps' | 'db'>, row: AlertRuleRow): Promise<AlertRule> {
  const [rule] = await toAlertRules(ctx, [row]);
  if (!rule) throw new Error('a rule was not answered');
  return rule;
}

/** An act on the workspace's alerts. */
const actOf = ({ id, name }: WorkspaceRow, changed: { before?: object; after?: object }) => ({
  workspaceId: id,
  target: { kind: 'workspace' as const, id, name },
  ...(changed.before && { before: { ...changed.before } }),
  ...(changed.after && { after: { ...changed.after } }),
});

const told = ({ name, type, metric, comparison, threshold, minutes, isActive }: AlertRuleRow) => ({
  rule: name,
  type,
  metric,
  comparison,
  threshold,
  minutes,
  isActive,
});

export const alertRulesRouter = router({
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/alert-rules',
        summary: 'List a workspace’s alert rules, with what their metrics are now',
        answer: 'page',
        output: z.array(alertRuleShape),
      },
    })
    .input(alertRuleList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select()
          .from(alertRules)
          .where(and(eq(alertRules.workspaceId, id), narrow))
          .orderBy(alertRules.id);
      return await toAlertRules(ctx, await readPage(ctx, input, { id: alertRules.id, rows }));
    }),

  create: memberProcedure('editor')
    .meta({
      act: 'Alert rule created',
      rest: {
        at: 'POST /api/alert-rules',
        summary: 'Be told when a metric goes above or below a threshold',
        example: { workspaceId: 1, name: 'Too many errors', metric: 'error_rate', threshold: 5, minutes: 5 },
        answer: 'created',
        output: alertRuleShape,
      },
    })
    .input(alertRuleCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      // One after the other, so that none counts while another is being added.
      const workspace = await getWorkspace(ctx, input.workspaceId, 'no key update');
      const existing = await ctx.db.$count(alertRules, eq(alertRules.workspaceId, workspace.id));
      if (existing >= limits.alertRulesMax)
        throw new AppError('UNPROCESSABLE', `A workspace has at most ${limits.alertRulesMax} alert rules`);
      const now = ctx.deps.clock();
      const [created] = await ctx.db
        .insert(alertRules)
        .values({ ...input, createdAt: now, updatedAt: now })
        .returning();
      if (!created) throw new Error('the inserted rule was not returned');
      ctx.audit(actOf(workspace, { after: told(created) }));
      return await toAlertRule(ctx, created);
    }),

  /** What was raised by it stays until its condition, as it is from now on, is met no more. */
  update: memberProcedure('editor')
    .meta({
      act: 'Alert rule updated',
      rest: {
        at: 'PUT /api/alert-rules/{id}',
        summary: 'Change an alert rule, or pause it',
        example: { id: 1, threshold: 10 },
        output: alertRuleShape,
      },
    })
    .input(alertRuleUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, ...changes } }) => {
      const { rule, workspace } = await getAlertRule(ctx, id);
      const { metric = rule.metric, threshold = rule.threshold } = changes;
      if (!isReachable({ metric, threshold })) throw badRequest('threshold', unreachable);
      const now = ctx.deps.clock();
      const [updated] = await ctx.db
        .update(alertRules)
        .set({ ...changes, updatedAt: now })
        .where(eq(alertRules.id, rule.id))
        .returning();
      if (!updated) throw notFound('Alert rule');
      if (!updated.isActive) await resolve(ctx.db, { ruleIds: [rule.id], now });
      const { before, after } = changesOf(changes, rule, updated);
      ctx.audit(actOf(workspace, { before: { rule: rule.name, ...before }, after: { ...after } }));
      return await toAlertRule(ctx, updated);
    }),

  /** What it raised is resolved, and stays in the list. */
  delete: memberProcedure('editor')
    .meta({
      act: 'Alert rule deleted',
      rest: { at: 'DELETE /api/alert-rules/{id}', summary: 'Delete an alert rule', output: alertRuleShape },
    })
    .input(alertRuleRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const { rule, workspace } = await getAlertRule(ctx, input.id);
      const deleted = await toAlertRule(ctx, rule);
      await resolve(ctx.db, { ruleIds: [rule.id], now: ctx.deps.clock() });
      await ctx.db.delete(alertRules).where(eq(alertRules.id, rule.id));
      ctx.audit(actOf(workspace, { before: told(rule) }));
      return deleted;
    }),
});
