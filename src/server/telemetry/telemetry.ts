import type { ActivityType } from '#shared/dashboard.ts';
import type { Database } from '../db/client.ts';

export interface Telemetry {
  /** Counts one API request of a workspace; in memory, flushed in batches. */
  countRequest(workspaceId: number): void;
  /** Writes what happened in the transaction that did it. */
  recordEvent(
    db: Database,
    event: { workspaceId: number; actorId: number | null; type: ActivityType; description: string },
  ): Promise<void>;
  /** Writes what is counted so far; called on a timer, by the dashboard and at the end. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}
