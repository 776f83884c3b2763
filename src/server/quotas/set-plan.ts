import { and, eq, isNull } from 'drizzle-orm';
import { byOperator } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import type { Plan } from '#shared/plans.ts';
import { type Held, readHeld } from './held.ts';

export interface OwnedWorkspace {
  id: number;
  name: string;
  plan: Plan;
}

/** `emailKey`: the email as accounts are told apart by it. */
export async function listOwnedWorkspaces(db: ReadDatabase, emailKey: string): Promise<OwnedWorkspace[]> {
  const { id, name, plan } = workspaces;
  return await db
    .select({ id, name, plan })
    .from(workspaces)
    .innerJoin(members, and(eq(members.workspaceId, id), eq(members.role, 'owner')))
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(users.emailKey, emailKey), isNull(workspaces.deletedAt)))
    .orderBy(id);
}

export interface PlanChange {
  workspace: { id: number; name: string };
  before: Plan;
  held: Held;
}

/** For an operator. Running servers hear of it by the row's trigger. Null: there is no such workspace. */
export async function setPlan(
  tx: Database,
  { workspaceId, plan, now }: { workspaceId: number; plan: Plan; now: Date },
): Promise<PlanChange | null> {
  const { id, name } = workspaces;
  const [workspace] = await tx
    .select({ id, name, plan: workspaces.plan })
    .from(workspaces)
    .where(and(eq(id, workspaceId), isNull(workspaces.deletedAt)))
    .for('no key update');
  if (!workspace) return null;
  const before = workspace.plan;
  if (before !== plan) {
    await tx.update(workspaces).set({ plan }).where(eq(id, workspaceId));
    await writeAuditEntry(tx, {
      at: now,
      action: 'workspaces.setPlan',
      ...byOperator,
      workspaceId,
      target: { kind: 'workspace', id: workspaceId, name: workspace.name },
      before: { plan: before },
      after: { plan },
    });
  }
  return { workspace, before, held: await readHeld(tx, workspaceId) };
}
