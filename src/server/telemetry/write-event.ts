import type { Database } from '#server/db/client.ts';
import { events } from '#server/db/schema/activity.ts';
import type { ActivityType } from '#shared/dashboard.ts';

interface Event {
  workspaceId: number;
  /** Null: an API key did it. */
  actorId: number | null;
  type: ActivityType;
  description: string;
  createdAt: Date;
}

/** Writes what happened, in the transaction that did it. */
export async function writeEvent(db: Database, event: Event): Promise<void> {
  await db.insert(events).values(event);
}
