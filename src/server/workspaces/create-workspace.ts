import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { writeEvent } from '#server/telemetry/write-event.ts';
import { slugOf } from '#shared/slug.ts';

/** A workspace with its first owner and the event that says so. */
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
  await writeEvent(db, {
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
