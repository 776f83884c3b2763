import type { Principal } from '#server/auth/principal.ts';
import type { Database } from '#server/db/client.ts';
import type { ActivityType } from '#shared/dashboard.ts';
import type { Context } from './context.ts';

/** Writes what the caller did, in the transaction that did it; a key acts for nobody by name. */
export async function recordEvent(
  ctx: Pick<Context, 'deps'> & { principal: Principal },
  db: Database,
  event: { workspaceId: number; type: ActivityType; description: string },
): Promise<void> {
  const actorId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  await ctx.deps.telemetry.recordEvent(db, { ...event, actorId });
}
