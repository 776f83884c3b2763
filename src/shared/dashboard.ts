import { z } from 'zod';
import { entityId } from './fields.ts';
import { limits } from './limits.ts';

export interface DashboardStats {
  totalCollections: number;
  totalDocuments: number;
  apiRequestsLast24h: number;
  activeProjects: number;
}

export interface ApiUsage {
  /** Day in UTC, YYYY-MM-DD. */
  date: string;
  requests: number;
}

/** What something can happen to, as people read it. */
export const activityNouns = {
  workspace: 'Workspace',
  project: 'Project',
  collection: 'Collection',
  api_key: 'API key',
} as const;
export type ActivityType = `${keyof typeof activityNouns}_${'created' | 'updated' | 'deleted' | 'restored'}`;

export interface Activity {
  id: number;
  type: ActivityType;
  description: string;
  createdAt: string;
}

const whole = (min: number, max: number) =>
  z.coerce
    .number()
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

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
  days: whole(1, limits.historyDaysMax).default(7),
});
