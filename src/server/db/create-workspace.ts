import { eq } from 'drizzle-orm';
import { slugOf } from '#shared/slug.ts';
import type { Database } from './client.ts';
import { events } from './schema/activity.ts';
import { members, workspaces } from './schema/workspaces.ts';

/** A workspace with its first owner and the event that says so; call it in a transaction. */
export async function createWorkspace(
  db: Database,
  workspace: { name: string; description: string | null; slug: string | null; ownerId: number; now: Date },
): Promise<typeof workspaces.$inferSelect> {
  const { name, description, ownerId, now } = workspace;
  const slug = workspace.slug || slugOf(name);
  const [created] = await db
    .insert(workspaces)
    .values({ name, description, slug, createdAt: now, updatedAt: now })
    .returning();
  if (!created) throw new Error('the inserted workspace was not returned');
  await db
    .insert(members)
    .values({ workspaceId: created.id, userId: ownerId, role: 'owner', createdAt: now });
  await db.insert(events).values({
    workspaceId: created.id,
    actorId: ownerId,
    type: 'workspace_created',
    description: `Workspace "${name}" was created`,
    createdAt: now,
  });
  if (slug !== '') return created;
  const fallback = { slug: `workspace-${created.id}` };
  await db.update(workspaces).set(fallback).where(eq(workspaces.id, created.id));
  return { ...created, ...fallback };
}
