import type { collections } from '#server/db/schema/collections.ts';
import type { Indexes } from '#server/indexes/indexes.ts';
import type { TransformerState } from '#shared/embedding.ts';
import type { CollectionHealth, HealthStatus } from '#shared/monitoring.ts';

type Row = Pick<
  typeof collections.$inferSelect,
  'id' | 'name' | 'projectId' | 'isActive' | 'documentCount' | 'upgradedCount' | 'documentBytes' | 'version'
>;

/** A collection by its row and its index in memory. The row may be older than the index: what an index has more is not amiss. */
export function toCollectionHealth(
  row: Row,
  index: ReturnType<Indexes['look']>,
  { queriesPerHour, transformer }: { queriesPerHour: number; transformer: TransformerState },
): CollectionHealth {
  const stats = index?.state === 'fresh' || index?.state === 'behind' ? index.stats : null;
  const backlog = stats && Math.max(0, row.version - stats.version);
  return {
    id: row.id,
    name: row.name,
    projectId: row.projectId,
    ...judge(row, index, { backlog, transformer }),
    documents: row.documentCount,
    upgraded: row.upgradedCount,
    indexed: stats?.documentCount ?? null,
    backlog,
    bytes: row.documentBytes,
    indexBytes: stats?.memoryBytes ?? null,
    scan: stats?.scan ?? null,
    recall: stats?.recall ?? null,
    queriesPerHour,
  };
}

function judge(
  { isActive, documentCount, version }: Row,
  index: ReturnType<Indexes['look']>,
  { backlog, transformer }: { backlog: number | null; transformer: TransformerState },
): { status: HealthStatus; reason: string | null } {
  const told = (status: HealthStatus, reason: string | null) => ({ status, reason });
  if (!isActive) return told('warning', 'Inactive: it takes no writes and no searches');
  if (index === null) return told('healthy', 'Not in memory: the next search opens its index');
  if (index.state === 'too large')
    return told('error', 'Its index has no room: raise INDEX_MEMORY_MB, or delete documents');
  if (index.state === 'lost')
    return told('error', 'Its index was lost; the next search opens it again from the record');
  if (index.state === 'opening') return told('warning', 'Its index is being opened');
  if (backlog !== null && backlog > 0)
    return told('warning', `${backlog} ${backlog === 1 ? 'write is' : 'writes are'} not in the index yet`);
  if (index.state === 'behind')
    return told('warning', 'Its index is compared with the record before it answers');
  if (index.stats.version === version && index.stats.documentCount !== documentCount)
    return told('error', 'Its index and its record differ: verify and repair it');
  if (transformer === 'failed')
    return told(
      'warning',
      'The transformer does not work here; meaning is compared by the static table alone',
    );
  return told('healthy', null);
}
