import { AppError, badRequest, notFound } from '#server/errors.ts';
import { type Usage, usageInput, usageShape } from '#shared/usage.ts';
import { type CallerContext, getWorkspace } from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

/** A key's own workspace. What it is told of it are sums, which a refusal for want of room would tell it too. */
async function workspaceFor(ctx: CallerContext, workspaceId: number | undefined): Promise<number> {
  const { principal } = ctx;
  if (principal.kind === 'user') {
    if (workspaceId === undefined) throw badRequest('workspaceId', 'Please select a workspace');
    return (await getWorkspace({ ...ctx, principal }, workspaceId)).id;
  }
  if (workspaceId !== undefined && workspaceId !== principal.workspaceId) throw notFound('Workspace');
  if (principal.collectionIds) {
    throw new AppError(
      'FORBIDDEN',
      'This API key is limited to certain collections; it cannot see what the workspace uses',
    );
  }
  return principal.workspaceId;
}

export const usageRouter = router({
  get: keyProcedure('read')
    .meta({
      rest: { at: 'GET /api/usage', summary: 'What a workspace uses of its plan', output: usageShape },
    })
    .input(usageInput.prefault({}))
    .query(async ({ ctx, input }): Promise<Usage> => {
      const workspaceId = await workspaceFor(ctx, input.workspaceId);
      return await ctx.deps.quotas.usage(ctx.db, workspaceId);
    }),
});
