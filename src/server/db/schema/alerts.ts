import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { alertComparisons, alertMetrics, alertTypes } from '#shared/alert-metrics.ts';
import { createdAt, id, moment, reference, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

const ofWorkspace = () =>
  reference()
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

const condition = () => ({
  metric: text({ enum: alertMetrics }).notNull(),
  comparison: text({ enum: alertComparisons }).notNull(),
  threshold: doublePrecision().notNull(),
  minutes: integer().notNull(),
});

/** When somebody wants to be told. */
export const alertRules = pgTable(
  'alert_rules',
  {
    id: id(),
    workspaceId: ofWorkspace(),
    name: text().notNull(),
    type: text({ enum: alertTypes }).notNull(),
    ...condition(),
    isActive: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('alert_rules_workspace').on(table.workspaceId, table.id)],
);

/** That a rule's condition was met. It tells of the rule as it was then. */
export const alerts = pgTable(
  'alerts',
  {
    id: id(),
    workspaceId: ofWorkspace(),
    ruleId: reference().references(() => alertRules.id, { onDelete: 'set null' }),
    name: text().notNull(),
    type: text({ enum: alertTypes }).notNull(),
    ...condition(),
    value: doublePrecision().notNull(),
    raisedAt: moment().notNull(),
    /** Null: the condition is still met. */
    resolvedAt: moment(),
  },
  (table) => [
    // Several servers may look at a rule at the same time: one of them raises it.
    uniqueIndex('alerts_active').on(table.ruleId).where(sql`resolved_at is null`),
    index('alerts_rule').on(table.ruleId),
    index('alerts_workspace').on(table.workspaceId, table.id),
    index('alerts_resolved').on(table.resolvedAt).where(sql`resolved_at is not null`),
  ],
);
