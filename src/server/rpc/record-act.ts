import type { UserPrincipal } from '#server/auth/principal.ts';
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
  type: TargetActivity,
  { id, name, workspaceId, ...changed }: Changed,
): Promise<void> {
  const actorId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  await writeEvent(ctx.db, { workspaceId, actorId, type, name, createdAt: ctx.deps.clock() });
  ctx.audit({ workspaceId, target: { kind: kindOf(type), id, name }, ...changed });
}

/** Members are told by `recordMembership`: what the audit calls an account, activity calls a user. */
type TargetActivity = Exclude<ActivityType, `user_${string}`>;

function kindOf(type: TargetActivity) {
  return type.slice(0, type.lastIndexOf('_')) as Exclude<keyof typeof activityNouns, 'user'>;
}

type MembershipAct = Pick<Act, 'target' | 'before' | 'after'> & { workspaceId: number; name: string | null };

/** The same for who is in a workspace: `name` is whom it is about, null for whoever has a link. */
export async function recordMembership(
  ctx: Pick<Writing, 'deps' | 'db' | 'audit'> & { principal: UserPrincipal },
  type: Extract<ActivityType, `user_${string}`>,
  { name, ...act }: MembershipAct,
): Promise<void> {
  const { workspaceId } = act;
  const actorId = ctx.principal.userId;
  await writeEvent(ctx.db, { workspaceId, actorId, type, name, createdAt: ctx.deps.clock() });
  ctx.audit(act);
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
