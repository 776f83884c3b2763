import type { RecordStore } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';

interface DeletionPrunerParts {
  record: Pick<RecordStore, 'sql' | 'servers'>;
  log: Log;
  /** Milliseconds that only grow. */
  now: () => number;
}

/** Longer than an index of the record is kept that nobody asks: it is compared by deletions. */
const keptMs = 600_000;

/**
 * Forgets deletions that indexes in the cluster have. What was there at a look goes at the next one, so that the record has those of ten to twenty minutes, of
 * what is not in the cluster yet, and of what an index is being copied beside.
 */
export class DeletionPruner {
  readonly #parts: DeletionPrunerParts;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The last version of each collection that had deleted something. */
  #seen = new Map<number, number>();

  constructor(parts: DeletionPrunerParts) {
    this.#parts = parts;
  }

  /** One of the servers does it. */
  async look(): Promise<void> {
    const { record, log, now } = this.#parts;
    if (now() - this.#lookedAt < keptMs || !(await record.servers.leads('deletions'))) return;
    this.#lookedAt = now();
    const before = this.#seen;
    const rows = await record.sql.unsafe(
      'select collection_id, max(version) as version from deletions group by collection_id',
    );
    this.#seen = new Map(rows.map((row) => [Number(row['collection_id']), Number(row['version'])]));
    for (const [id, version] of before) {
      // A copy that begins from now on is of a later version.
      if (await record.servers.isAtWork(`repair ${id}`)) continue;
      await record.sql.unsafe(pruneApplied, [id, version]).catch((error: unknown) => {
        log.warn('deletions that the search cluster has could not be forgotten', { collectionId: id, error });
      });
    }
  }
}

/** Below the first version that is still to be brought. An index that is not ready is made of the record as it will be. */
const pruneApplied = `
with bound as (
  select least($2::bigint, (
    select min(version) - 1 from index_outbox where collection_id = $1 and fault is null
  )) as version from search_indexes where collection_id = $1
), gone as (
  delete from deletions using bound where collection_id = $1 and deletions.version <= bound.version
)
update collections set pruned_version = bound.version from bound
where id = $1 and pruned_version < bound.version`;
