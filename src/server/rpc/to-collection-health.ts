import type { collections } from '#server/db/schema/collections.ts';
import type { Indexes } from '#server/indexes/indexes.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import { calledOf } from '#shared/embedding.ts';
import type { CollectionHealth, HealthStatus } from '#shared/monitoring.ts';

type Row = Pick<
  typeof collections.$inferSelect,
  | 'id'
  | 'name'
  | 'projectId'
  | 'isActive'
  | 'model'
  | 'dimension'
  | 'documentCount'
  | 'upgradedCount'
  | 'documentBytes'
  | 'version'
>;

type Models = ReturnType<Indexes['models']>;
type Service = NonNullable<Models['service']>;

/** Documents that a service has given no vector: not yet, and never. */
export interface WithoutVectors {
  pending: number;
  refused: number;
}

interface Around {
  queriesPerHour: number;
  models: Models;
  without: WithoutVectors;
  move: Pick<CollectionHealth, 'nextModel' | 'moved'>;
}

/** A collection by its row and its index in memory. The row may be older than the index: what an index has more is not amiss. */
export function toCollectionHealth(
  row: Row,
  index: ReturnType<Indexes['look']>,
  { queriesPerHour, models, without, move }: Around,
): CollectionHealth {
  const stats = index?.state === 'fresh' || index?.state === 'behind' ? index.stats : null;
  const backlog = stats && Math.max(0, row.version - stats.version);
  return {
    id: row.id,
    name: row.name,
    projectId: row.projectId,
    ...judge(row, index, { backlog, models, without, move }),
    documents: row.documentCount,
    model: row.model,
    modelState: stateOf(row, models, 'queries'),
    documentsState: stateOf(row, models, 'documents'),
    upgraded: row.upgradedCount,
    ...without,
    ...move,
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
  row: Row,
  index: ReturnType<Indexes['look']>,
  { backlog, ...around }: { backlog: number | null } & Omit<Around, 'queriesPerHour'>,
): { status: HealthStatus; reason: string | null } {
  const { isActive, documentCount, version } = row;
  const told = (status: HealthStatus, reason: string | null) => ({ status, reason });
  if (!isActive) return told('warning', 'Inactive: it takes no writes and no searches');
  const ofModel = troubleOf(row, around);
  if (index === null)
    return ofModel
      ? told('warning', ofModel)
      : told('healthy', 'Not in memory: the next search opens its index');
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
  return ofModel ? told('warning', ofModel) : told('healthy', null);
}

function stateOf(
  { model, dimension }: Row,
  { transformer, service }: Models,
  use: 'queries' | 'documents',
): CollectionHealth['modelState'] {
  if (isBuiltInModel(model)) return transformer;
  if (service?.id !== model) return 'absent';
  const { state } = service[use];
  return state === 'working' && service.dimensions.has(dimension) ? 'failing' : state;
}

/** Why meaning is not compared as it should be. Null: it is. */
function troubleOf(
  row: Row,
  { models, without: { pending, refused }, move }: Pick<Around, 'models' | 'without' | 'move'>,
): string | null {
  const state = stateOf(row, models, 'queries');
  if (state === 'failed')
    return 'The transformer does not work here; meaning is compared by the static table alone';
  if (state === 'absent')
    return `The model of its vectors (${row.model}) is not set up here; only words are compared`;
  const ofService =
    models.service?.id === row.model
      ? troubleOfService(models.service, { dimension: row.dimension, pending })
      : null;
  if (ofService) return ofService;
  const ofMove = models.service?.id === move.nextModel ? troubleOfMove(models.service, row) : null;
  if (ofMove) return ofMove;
  if (refused > 0)
    return `${calledOf(row.model)} gives ${refused} ${refused === 1 ? 'document' : 'documents'} no vector; the log says why`;
  return null;
}

/** Null: it does for this collection what it should. */
function troubleOfService(
  { id, queries, documents, dimensions }: Service,
  { dimension, pending }: { dimension: number; pending: number },
): string | null {
  const called = calledOf(id);
  const wait = `${pending} ${pending === 1 ? 'document waits' : 'documents wait'}`;
  const ofDimension = dimensions.get(dimension);
  if (ofDimension !== undefined)
    return `${called} gives no vectors of ${dimension} components; only words are compared, and ${wait}: ${ofDimension}`;
  const told: string[] = [];
  if (queries.state !== 'working')
    told.push(`${called} is not available for queries; only words are compared: ${queries.reason}`);
  if (documents.state !== 'working' && pending > 0)
    told.push(`${called} gives documents no vectors for now; ${wait}: ${documents.reason}`);
  return told.length === 0 ? null : told.join('. ');
}

/** Of a collection whose vectors are of another model still. */
function troubleOfMove({ id, documents, dimensions }: Service, { dimension }: Row): string | null {
  const reason = dimensions.get(dimension) ?? (documents.state === 'working' ? null : documents.reason);
  return reason === null ? null : `It is not moved to ${id} for now: ${reason}`;
}
