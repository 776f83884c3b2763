import { readMonitoring } from '#server/monitoring/read-monitoring.ts';
import { type Monitoring, monitoringInput, monitoringShape } from '#shared/monitoring.ts';
import { getWorkspace } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

export const monitoringRouter = router({
  get: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/monitoring',
        summary: 'Requests, response times, errors, uptime and load over the last hour, day, week or month',
        output: monitoringShape,
      },
    })
    .input(monitoringInput)
    .query(async ({ ctx, input: { workspaceId, range } }): Promise<Monitoring> => {
      const { monitoring, clock } = ctx.deps;
      const workspace = await getWorkspace(ctx, workspaceId);
      return await readMonitoring(monitoring, ctx.db, { workspaceId: workspace.id, range, now: clock() });
    }),
});
