import type { Database } from '#server/db/client.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { writeEvent } from '#server/telemetry/write-event.ts';
import { slugOf } from '#shared/slug.ts';

const name = 'First project';

/** A place for collections, so that nobody has to make one before anything else. Answers its id. */
export async function firstProject(
  db: Database,
  workspaceId: number,
  { userId, now }: { userId: number; now: Date },
): Promise<number> {
  const [created] = await db
    .insert(projects)
    .values({ name, slug: slugOf(name), workspaceId, createdAt: now, updatedAt: now })
    .returning({ id: projects.id });
  if (!created) throw new Error('the inserted project was not returned');
  await writeEvent(db, { workspaceId, actorId: userId, type: 'project_created', name, createdAt: now });
  return created.id;
}
