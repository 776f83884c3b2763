import { and, count, desc, eq, isNull, sum } from 'drizzle-orm';
import { z } from 'zod';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { users } from '#server/db/schema/accounts.ts';
import { events } from '#server/db/schema/activity.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { hourMs, lastDayBegins } from '#server/telemetry/telemetry.ts';
import {
  type Activity,
  type ApiUsage,
  activityShape,
  apiUsageInput,
  apiUsageShape,
  type DashboardStats,
  dashboardScope,
  dashboardStatsShape,
  type ImportUnderWay,
  recentActivityInput,
  workspaceScope,
} from '#shared/dashboard.ts';
import { readFirstSteps } from '../first-steps.ts';
import { personName } from '../person-name.ts';
import { selectRunningImports } from '../running-imports.ts';
import { getProject, getWorkspace, type MemberContext } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

const dayMs = 24 * hourMs;

/** The living workspaces the figures speak of: the named one, else all of the user's. */
async function workspaceIdsOf(ctx: MemberContext, workspaceId: number | undefined): Promise<number[]> {
  if (workspaceId !== undefined) return [(await getWorkspace(ctx, workspaceId)).id];
  const rows = await ctx.db
    .select({ id: workspaces.id })
    .from(workspaces)
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(isNull(workspaces.deletedAt));
  return rows.map(({ id }) => id);
}

export const dashboardRouter = router({
  stats: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/dashboard/stats',
        summary: 'Counts over your workspaces',
        output: dashboardStatsShape,
      },
    })
    .input(dashboardScope.prefault({}))
    .query(async ({ ctx, input }): Promise<DashboardStats> => {
      const { telemetry, clock } = ctx.deps;
      const workspaceIds = await workspaceIdsOf(ctx, input.workspaceId);
      const project = input.projectId === undefined ? null : await getProject(ctx, input.projectId);
      const inScope = and(
        isAnyOf(projects.workspaceId, workspaceIds),
        project ? eq(projects.id, project.id) : undefined,
        isNull(projects.deletedAt),
      );
      const [inCollections] = await ctx.db
        .select({ collections: count(), documents: sum(collections.documentCount).mapWith(Number) })
        .from(collections)
        .innerJoin(projects, eq(projects.id, collections.projectId))
        .where(and(inScope, isNull(collections.deletedAt)));
      const requests = await telemetry.requestsByHour(ctx.db, {
        workspaceIds,
        projectId: project?.id,
        since: lastDayBegins(clock()),
      });
      return {
        totalCollections: inCollections?.collections ?? 0,
        totalDocuments: inCollections?.documents ?? 0,
        apiRequestsLast24h: [...requests.values()].reduce((total, more) => total + more, 0),
        activeProjects: await ctx.db.$count(projects, inScope),
      };
    }),

  recentActivity: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/dashboard/recent-activity',
        summary: 'What happened last, newest first',
        output: z.array(activityShape),
      },
    })
    .input(recentActivityInput.prefault({}))
    .query(async ({ ctx, input }): Promise<Activity[]> => {
      const rows = await ctx.db
        .select({
          id: events.id,
          type: events.type,
          description: events.description,
          actor: personName,
          createdAt: events.createdAt,
        })
        .from(events)
        .leftJoin(users, eq(users.id, events.actorId))
        .where(isAnyOf(events.workspaceId, await workspaceIdsOf(ctx, input.workspaceId)))
        .orderBy(desc(events.id))
        .limit(input.limit);
      return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    }),

  /** What a newcomer has done so far. */
  firstSteps: memberProcedure('viewer')
    .input(workspaceScope)
    .query(async ({ ctx, input }) => readFirstSteps(ctx.db, (await getWorkspace(ctx, input.workspaceId)).id)),

  /** Imports of a workspace that go on now, whoever began them: the console shows them in every tab. */
  importsUnderWay: memberProcedure('viewer')
    .input(workspaceScope)
    .query(async ({ ctx, input }): Promise<ImportUnderWay[]> => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = await selectRunningImports(ctx.db, id);
      return rows
        .map(({ row, ...collection }) => ({ ...ctx.deps.indexes.imports.toImport(row), collection }))
        .filter(({ state }) => state === 'running');
    }),

  /** One entry a day (UTC), oldest first, today last; days without a request too. */
  apiUsage: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/dashboard/api-usage',
        summary: 'API requests a day',
        output: z.array(apiUsageShape),
      },
    })
    .input(apiUsageInput.prefault({}))
    .query(async ({ ctx, input }): Promise<ApiUsage[]> => {
      const { telemetry, clock } = ctx.deps;
      const today = Math.floor(clock().getTime() / dayMs) * dayMs;
      const since = today - (input.days - 1) * dayMs;
      const workspaceIds = await workspaceIdsOf(ctx, input.workspaceId);
      const project = input.projectId === undefined ? null : await getProject(ctx, input.projectId);
      const days = new Map(Array.from({ length: input.days }, (_, i) => [dateOf(since + i * dayMs), 0]));
      for (const [hour, requests] of await telemetry.requestsByHour(ctx.db, {
        workspaceIds,
        projectId: project?.id,
        since: new Date(since),
      })) {
        const date = dateOf(hour);
        const before = days.get(date);
        if (before !== undefined) days.set(date, before + requests);
      }
      return [...days].map(([date, requests]) => ({ date, requests }));
    }),
});

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
