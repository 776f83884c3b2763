import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { writeEvent } from '#server/telemetry/write-event.ts';
import { slugOf } from '#shared/slug.ts';
import type { WorkspaceCreate } from '#shared/workspaces.ts';

/** A workspace with its first owner and the event that says so. */
export async function createWorkspace(
  db: Database,
  given: WorkspaceCreate,
  { ownerId, now }: { ownerId: number; now: Date },
): Promise<typeof workspaces.$inferSelect> {
  const slug = given.slug || slugOf(given.name);
  const [created] = await db
    .insert(workspaces)
    .values({ ...given, slug, createdAt: now, updatedAt: now })
    .returning();
  if (!created) throw new Error('the inserted workspace was not returned');
  const { id, name } = created;
  const owner = { userId: ownerId, role: 'owner', roleSince: now, createdAt: now } as const;
  await db.insert(members).values({ workspaceId: id, ...owner });
  await writeEvent(db, {
    workspaceId: id,
    actorId: ownerId,
    type: 'workspace_created',
    name,
    createdAt: now,
  });
  if (slug !== '') return created;
  const fallback = { slug: `workspace-${id}` };
  await db.update(workspaces).set(fallback).where(eq(workspaces.id, id));
  return { ...created, ...fallback };
}
