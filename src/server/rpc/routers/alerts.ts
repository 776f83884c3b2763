import { and, desc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { alerts } from '#server/db/schema/alerts.ts';
import { type Alert, alertList, alertShape } from '#shared/alerts.ts';
import { readPage } from '../read-page.ts';
import { getWorkspace } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { memberProcedure, router } from '../trpc.ts';

type AlertRow = typeof alerts.$inferSelect;

const toAlert = (row: AlertRow): Alert =>
  toEntity(alertShape, { ...row, status: row.resolvedAt === null ? 'active' : 'resolved' });

const isOfStatus = {
  active: isNull(alerts.resolvedAt),
  resolved: isNotNull(alerts.resolvedAt),
};

export const alertsRouter = router({
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/alerts',
        summary: 'List what alert rules have raised, newest first',
        answer: 'page',
        output: z.array(alertShape),
      },
    })
    .input(alertList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select()
          .from(alerts)
          .where(and(eq(alerts.workspaceId, id), input.status && isOfStatus[input.status], narrow))
          .orderBy(desc(alerts.id));
      return (await readPage(ctx, input, { id: alerts.id, rows })).map(toAlert);
    }),
});
