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

export const activityTypes = [
  'workspace_created',
  'workspace_updated',
  'workspace_deleted',
  'workspace_restored',
  'project_created',
  'project_updated',
  'project_deleted',
  'project_restored',
  'collection_created',
  'collection_updated',
  'collection_deleted',
  'collection_restored',
  'api_key_created',
  'api_key_updated',
  'api_key_deleted',
] as const;
export type ActivityType = (typeof activityTypes)[number];

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
