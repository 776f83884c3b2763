import { writeEvent } from '#server/telemetry/write-event.ts';
import type { ActivityType } from '#shared/dashboard.ts';
import type { Writing } from './scope.ts';

/** Writes what the caller did, in the transaction that did it; a key acts for nobody by name. */
export async function recordEvent(
  ctx: Pick<Writing, 'deps' | 'db' | 'principal'>,
  type: ActivityType,
  { workspaceId, name }: { workspaceId: number; name: string },
): Promise<void> {
  const actorId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  await writeEvent(ctx.db, { workspaceId, actorId, type, name, createdAt: ctx.deps.clock() });
}
