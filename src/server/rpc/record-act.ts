import { writeEvent } from '#server/telemetry/write-event.ts';
import type { ActivityType, activityNouns } from '#shared/dashboard.ts';
import type { Act } from './act.ts';
import type { Writing } from './scope.ts';

type Changed = Pick<Act, 'action' | 'before' | 'after'> & {
  workspaceId: number;
  id: number;
  /** What the thing is called now. */
  name: string;
};

/** Writes what the caller did, in the transaction that did it: for the recent activity, where a key acts for nobody by name, and for the audit. */
export async function recordAct(
  ctx: Pick<Writing, 'deps' | 'db' | 'principal' | 'audit'>,
  type: ActivityType,
  { id, name, workspaceId, ...changed }: Changed,
): Promise<void> {
  const actorId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  await writeEvent(ctx.db, { workspaceId, actorId, type, name, createdAt: ctx.deps.clock() });
  ctx.audit({ workspaceId, target: { kind: kindOf(type), id, name }, ...changed });
}

function kindOf(type: ActivityType) {
  return type.slice(0, type.lastIndexOf('_')) as keyof typeof activityNouns;
}

/** Of what a change names, what it did change: as it was and as it is. */
export function changesOf(changes: object, before: object, after: object): Pick<Act, 'before' | 'after'> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const isChanged = (name: string) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name));
  const changed = Object.keys(changes).filter(isChanged);
  const pick = (row: Map<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, row.get(name)]));
  return { before: pick(old), after: pick(now) };
}
