import type { Sql } from 'postgres';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';
import { forgetMended, type PendingVersion, readLag, takeDue } from './outbox.ts';

interface OutboxWorkerParts {
  sql: Sql;
  log: Log;
  /** Brings versions of a collection to the cluster. */
  apply: (collection: CollectionHandle, versions: number[]) => Promise<void>;
  /** Forgets what need not be brought any more. */
  prune: () => Promise<void>;
}

/** Taken up at once. */
const versionsMax = 200;

/** How much waits is looked at once in so many times. */
const wakesOfLag = 10;

/** What has its turn beside those who ask: the server's own work. */
const itself = { tenant: 'the search cluster', caller: '' };

/** Brings to the cluster what the requests that wrote it did not: their server was killed, or the cluster was away. */
export class OutboxWorker {
  readonly #parts: OutboxWorkerParts;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #wakes = 0;
  /** As it was seen a moment ago. */
  lag = { waiting: 0, givenUp: 0 };

  constructor(parts: OutboxWorkerParts) {
    this.#parts = parts;
  }

  /** Looks for something to do, unless it is at work. */
  wake(): void {
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { sql, log, prune } = this.#parts;
    try {
      if (this.#wakes % wakesOfLag === 0) {
        await forgetMended(sql);
        this.lag = await readLag(sql);
      }
      this.#wakes += 1;
      while (!this.#isStopped) {
        const taken = await takeDue(sql, versionsMax);
        if (taken.length === 0) break;
        for (const [collectionId, versions] of byCollection(taken))
          await this.#applyOf(collectionId, versions);
      }
      await prune();
    } catch (error) {
      log.warn('it could not be seen what the search cluster lacks', { error });
    }
  }

  /** What fails is due again later. */
  async #applyOf(collectionId: number, versions: number[]): Promise<void> {
    const { sql, log, apply } = this.#parts;
    try {
      const [row] = await sql.unsafe(
        'select dimension, metric, rules_version from collections where id = $1 and deleted_at is null',
        [collectionId],
      );
      // A deleted collection's index goes with it, and one that is restored has its versions still noted.
      if (!row) return;
      const { dimension, metric, rules_version: rulesVersion } = row;
      await apply({ id: collectionId, for: itself, dimension, metric, rulesVersion }, versions);
    } catch (error) {
      log.warn('versions of a collection could not be brought to the search cluster; they are tried again', {
        collectionId,
        versions: versions.length,
        error,
      });
    }
  }
}

function byCollection(taken: PendingVersion[]): Map<number, number[]> {
  const versions = new Map<number, number[]>();
  for (const { collectionId, version } of taken)
    versions.set(collectionId, [...(versions.get(collectionId) ?? []), version]);
  return versions;
}
