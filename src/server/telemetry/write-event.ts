import type { Database } from '#server/db/client.ts';
import { events } from '#server/db/schema/activity.ts';
import { type ActivityType, activityNouns } from '#shared/dashboard.ts';

interface Event {
  workspaceId: number;
  /** Null: an API key did it. */
  actorId: number | null;
  type: ActivityType;
  /** What the thing was called then; null: nobody knows yet whom a link invites. */
  name: string | null;
  createdAt: Date;
}

/** Writes what happened, in the transaction that did it. */
export async function writeEvent(db: Database, { name, ...event }: Event): Promise<void> {
  await db.insert(events).values({ ...event, description: descriptionOf(event.type, name) });
}

/** `Project "Shop" was created` */
function descriptionOf(type: ActivityType, name: string | null): string {
  if (name === null) return 'Somebody was invited by a link';
  const end = type.lastIndexOf('_');
  const noun = type.slice(0, end) as keyof typeof activityNouns;
  return `${activityNouns[noun]} "${name}" was ${type.slice(end + 1)}`;
}
