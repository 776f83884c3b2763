import { and, count, desc, eq, gt, gte, inArray, isNull, sql, sum } from 'drizzle-orm';
import { events, usageCounters } from '#server/db/schema/activity.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import {
  type Activity,
  type ApiUsage,
  apiUsageInput,
  type DashboardStats,
  dashboardScope,
  recentActivityInput,
} from '#shared/dashboard.ts';
import { getProject, getWorkspace, type MemberContext } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The living workspaces the figures speak of, as a subquery of ids: the named one, else all of the user's.
 * Not async itself: awaiting a query runs it.
 */
function scopeOf(ctx: MemberContext, workspaceId: number | undefined) {
  return ctx.db
    .select({ id: workspaces.id })
    .from(workspaces)
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(
      and(
        isNull(workspaces.deletedAt),
        workspaceId === undefined ? undefined : eq(workspaces.id, workspaceId),
      ),
    );
}

async function assertVisible(ctx: MemberContext, workspaceId: number | undefined): Promise<void> {
  if (workspaceId !== undefined) await getWorkspace(ctx, workspaceId);
}

export const dashboardRouter = router({
  stats: memberProcedure('viewer')
    .input(dashboardScope.prefault({}))
    .query(async ({ ctx, input }): Promise<DashboardStats> => {
      const { telemetry, clock } = ctx.deps;
      await assertVisible(ctx, input.workspaceId);
      const project = input.projectId === undefined ? null : await getProject(ctx, input.projectId);
      const scope = scopeOf(ctx, input.workspaceId);
      await telemetry.flush();
      const [inCollections] = await ctx.db
        .select({ collections: count(), documents: sum(collections.documentCount).mapWith(Number) })
        .from(collections)
        .innerJoin(projects, eq(projects.id, collections.projectId))
        .where(
          and(
            inArray(projects.workspaceId, scope),
            project ? eq(projects.id, project.id) : undefined,
            isNull(projects.deletedAt),
            isNull(collections.deletedAt),
          ),
        );
      const [inProjects] = await ctx.db
        .select({ projects: count() })
        .from(projects)
        .where(
          and(
            inArray(projects.workspaceId, scope),
            project ? eq(projects.id, project.id) : undefined,
            isNull(projects.deletedAt),
          ),
        );
      const [inUsage] = await ctx.db
        .select({ requests: sum(usageCounters.requests).mapWith(Number) })
        .from(usageCounters)
        .where(
          and(
            inArray(usageCounters.workspaceId, scope),
            project ? eq(usageCounters.projectId, project.id) : undefined,
            gt(usageCounters.hour, new Date(clock().getTime() - dayMs)),
          ),
        );
      return {
        totalCollections: inCollections?.collections ?? 0,
        totalDocuments: inCollections?.documents ?? 0,
        apiRequestsLast24h: inUsage?.requests ?? 0,
        activeProjects: inProjects?.projects ?? 0,
      };
    }),

  recentActivity: memberProcedure('viewer')
    .input(recentActivityInput.prefault({}))
    .query(async ({ ctx, input }): Promise<Activity[]> => {
      await assertVisible(ctx, input.workspaceId);
      const rows = await ctx.db
        .select({
          id: events.id,
          type: events.type,
          description: events.description,
          createdAt: events.createdAt,
        })
        .from(events)
        .where(inArray(events.workspaceId, scopeOf(ctx, input.workspaceId)))
        .orderBy(desc(events.id))
        .limit(input.limit);
      return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    }),

  /** One entry a day (UTC), oldest first, today last; days without a request too. */
  apiUsage: memberProcedure('viewer')
    .input(apiUsageInput.prefault({}))
    .query(async ({ ctx, input }): Promise<ApiUsage[]> => {
      const { telemetry, clock } = ctx.deps;
      await assertVisible(ctx, input.workspaceId);
      const scope = scopeOf(ctx, input.workspaceId);
      await telemetry.flush();
      const today = Math.floor(clock().getTime() / dayMs) * dayMs;
      const days = Array.from({ length: input.days }, (_, i) => dateOf(today - (input.days - 1 - i) * dayMs));
      const day = sql<string>`to_char(${usageCounters.hour} at time zone 'UTC', 'YYYY-MM-DD')`;
      const rows = await ctx.db
        .select({ day, requests: sum(usageCounters.requests).mapWith(Number) })
        .from(usageCounters)
        .where(
          and(
            inArray(usageCounters.workspaceId, scope),
            gte(usageCounters.hour, new Date(today - (input.days - 1) * dayMs)),
          ),
        )
        .groupBy(day);
      const counted = new Map(rows.map((row) => [row.day, row.requests]));
      return days.map((date) => ({ date, requests: counted.get(date) ?? 0 }));
    }),
});

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
