import { z } from 'zod';
import {
  type AlertMetric,
  alertComparisons,
  alertMetrics,
  alertMetricTable,
  alertStatuses,
  alertTypes,
  ruleMinutesMax,
} from './alert-metrics.ts';
import { entityId, moment, name } from './fields.ts';
import { pageFields } from './pages.ts';

const condition = {
  metric: z.enum(alertMetrics),
  comparison: z.enum(alertComparisons),
  /** In the unit of the metric. */
  threshold: z.number().min(0),
  /** Over how many minutes together. */
  minutes: z.int().min(1).max(ruleMinutesMax),
};

/** What can be set, at the beginning and later. */
const settings = z.strictObject({
  name,
  type: z.enum(alertTypes),
  ...condition,
  isActive: z.boolean(),
});

export const alertRuleShape = z
  .object({
    id: z.int(),
    workspaceId: z.int(),
    ...settings.shape,
    /** The metric now; null: there is nothing to measure, as of response times without a request. */
    value: z.number().nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'AlertRule' });
export type AlertRule = z.output<typeof alertRuleShape>;

/** A threshold that the metric could reach. */
export function isReachable({ metric, threshold }: { metric: AlertMetric; threshold: number }): boolean {
  return threshold <= alertMetricTable[metric].max;
}
export const unreachable = 'is more than the metric can be';

export const alertRuleList = z.strictObject({ workspaceId: entityId, ...pageFields });
export const alertRuleRef = z.strictObject({ id: entityId });
export const alertRuleCreate = settings
  .extend({
    workspaceId: entityId,
    type: settings.shape.type.default('warning'),
    comparison: settings.shape.comparison.default('above'),
    minutes: settings.shape.minutes.default(5),
    isActive: settings.shape.isActive.default(true),
  })
  .refine(isReachable, { path: ['threshold'], message: unreachable });
export const alertRuleUpdate = settings.partial().extend({ id: entityId });

/** That a rule's condition was met, and when it was no more. It stays as it was, whatever becomes of its rule. */
export const alertShape = z
  .object({
    id: z.int(),
    workspaceId: z.int(),
    /** Null: its rule is gone. */
    ruleId: z.int().nullable(),
    name: z.string(),
    type: z.enum(alertTypes),
    status: z.enum(alertStatuses),
    ...condition,
    /** The metric when it was raised. */
    value: z.number(),
    raisedAt: moment,
    resolvedAt: moment.nullable(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.output<typeof alertShape>;

/** Newest first. */
export const alertList = z.strictObject({
  workspaceId: entityId,
  status: z.enum(alertStatuses).optional(),
  ...pageFields,
});
