import { z } from 'zod';
import type { Import } from './documents.ts';
import { entityId, moment } from './fields.ts';
import { limits } from './limits.ts';

export const dashboardStatsShape = z
  .object({
    totalCollections: z.int(),
    totalDocuments: z.int(),
    apiRequestsLast24h: z.int(),
    activeProjects: z.int(),
  })
  .meta({ id: 'DashboardStats' });
export type DashboardStats = z.output<typeof dashboardStatsShape>;

/** What somebody who begins has done in a workspace, read from what is there. */
const firstStepsShape = z.object({
  hasDocuments: z.boolean(),
  hasSearched: z.boolean(),
  hasKey: z.boolean(),
  /** A request came with one of its keys. */
  hasUsedKey: z.boolean(),
  /** Of some collection's synonyms, overrides, presets or search settings. */
  hasTuned: z.boolean(),
});
export type FirstSteps = z.output<typeof firstStepsShape>;

/** An import that goes on, and whose documents they are. */
export type ImportUnderWay = Import & { collection: { id: number; name: string } };

/** Of a day in UTC, YYYY-MM-DD. */
export const apiUsageShape = z.object({ date: z.iso.date(), requests: z.int() }).meta({ id: 'ApiUsage' });
export type ApiUsage = z.output<typeof apiUsageShape>;

/** What something can happen to, as people read it. */
export const activityNouns = {
  workspace: 'Workspace',
  project: 'Project',
  collection: 'Collection',
  api_key: 'API key',
  user: 'User',
} as const;
const nouns = Object.keys(activityNouns) as (keyof typeof activityNouns)[];
const happenings = ['created', 'updated', 'deleted', 'restored', 'invited', 'added', 'removed'] as const;

export const activityShape = z
  .object({
    id: z.int(),
    type: z.templateLiteral([z.enum(nouns), '_', z.enum(happenings)]),
    description: z.string(),
    /** Whoever did it, by name; null: a key, or an account that is gone. */
    actor: z.string().nullable(),
    createdAt: moment,
  })
  .meta({ id: 'Activity' });
export type Activity = z.output<typeof activityShape>;
export type ActivityType = Activity['type'];

const whole = (min: number, max: number) =>
  z.coerce
    .number()
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

export const workspaceScope = z.strictObject({ workspaceId: entityId });
/** Figures over all of the user's workspaces, over one, or over one project. */
export const dashboardScope = z.strictObject({
  workspaceId: entityId.optional(),
  projectId: entityId.optional(),
});
export const recentActivityInput = z.strictObject({
  workspaceId: entityId.optional(),
  limit: whole(1, 100).default(20),
});
export const apiUsageInput = z.strictObject({
  workspaceId: entityId.optional(),
  projectId: entityId.optional(),
  days: whole(1, limits.historyDaysMax).default(7),
});
