import type { Row, Sql } from 'postgres';
import type { Analyzer } from '#server/engine/search-index.ts';
import type { FieldType } from '#server/engine/types.ts';
import { notFound } from '#server/errors.ts';
import { actingLanguage } from '#server/indexes/language/acting-language.ts';
import { analyzerNamed, analyzerOf, isAsNew } from '#server/indexes/language/analyzer-of.ts';
import { constantsOf, type FixedConstants } from './fixed-constants.ts';
import { areSame, type MadeByNote, readNote } from './made-by.ts';

/** What the record says of a collection's index in the cluster. */
export interface IndexStanding {
  /** Of the collection. */
  version: number;
  documentCount: number;
  /** Declared fields. */
  fields: { name: string; type: FieldType }[];
  /** ISO 639-1; null: none is set or detected. */
  language: string | null;
  /** By its settings. */
  constants: FixedConstants;
  /** Of all its indexes; the generation follows. Other databases' collections have other names. */
  name: string;
  /** Null: it has none. */
  generation: number | null;
  isReady: boolean;
  /** Null: it has none. */
  madeBy: MadeByNote | null;
  refreshedVersion: number;
  /** The first version that may not be in the index; null: all are. */
  pendingVersion: number | null;
  /** Deletions up to this version are no longer known. */
  prunedVersion: number;
}

const nameParts = `(extract(epoch from created_at) * 1000000)::bigint::text as created_at_micros,
    coalesce((select mark from index_owner), '') as mark`;

const standing = `select version, document_count, pruned_version, coalesce(metadata -> 'fields', '[]') as fields, ${actingLanguage} as language,
    (select settings -> 'ranking' from search_settings where collection_id = collections.id) as ranking,
    ${nameParts},
    generation, is_ready, analyzer, refreshed_version,
    (select min(index_outbox.version) from index_outbox where collection_id = collections.id and fault is null) as pending_version
  from collections left join search_indexes on search_indexes.collection_id = collections.id
  where id = $1 and deleted_at is null`;

/** @throws AppError NOT_FOUND */
export async function readStanding(sql: Sql, collectionId: number): Promise<IndexStanding> {
  const [row] = await sql.unsafe(standing, [collectionId], { prepare: true });
  if (!row) throw notFound('Collection');
  return {
    version: Number(row['version']),
    documentCount: Number(row['document_count']),
    fields: row['fields'],
    language: row['language'],
    constants: constantsOf(row['ranking']),
    name: indexName(collectionId, row),
    generation: row['generation'] === null ? null : Number(row['generation']),
    isReady: row['is_ready'] === true,
    madeBy: row['analyzer'] === null ? null : readNote(row['analyzer']),
    refreshedVersion: Number(row['refreshed_version'] ?? 0),
    pendingVersion: row['pending_version'] === null ? null : Number(row['pending_version']),
    prunedVersion: Number(row['pruned_version']),
  };
}

/** Of a collection that may be deleted already; null: it is purged. */
export async function readName(sql: Sql, collectionId: number): Promise<string | null> {
  const [row] = await sql.unsafe(`select ${nameParts} from collections where id = $1`, [collectionId]);
  return row ? indexName(collectionId, row) : null;
}

/** By ids alone: nothing that a user wrote is in a name. */
function indexName(collectionId: number, { mark, created_at_micros: createdAtMicros }: Row): string {
  return `vectora-${mark}${collectionId}-${BigInt(createdAtMicros).toString(36)}`;
}

/**
 * A further generation is begun: from now on versions are noted. Those before it are copied, so what was noted of them is forgotten.
 * Waits for the change under way, whose version is not noted.
 */
export async function beginGeneration(sql: Sql, collectionId: number, note: string): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx.unsafe('update collections set is_indexed_apart = true where id = $1', [collectionId]);
    await tx.unsafe('delete from index_outbox where collection_id = $1', [collectionId]);
    // Greater than any before, also where the row of those is gone.
    const [row] = await tx.unsafe(
      `insert into search_indexes as own (collection_id, generation, analyzer)
         values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint, $2)
       on conflict (collection_id) do update set generation = greatest(own.generation + 1, excluded.generation),
         is_ready = false, analyzer = excluded.analyzer, refreshed_version = 0
       returning generation`,
      [collectionId, note],
    );
    return Number(row?.['generation']);
  });
}

/** False: another generation was begun meanwhile. */
export async function endGeneration(
  sql: Sql,
  collectionId: number,
  { generation, refreshedVersion }: { generation: number; refreshedVersion: number },
): Promise<boolean> {
  const rows = await sql.unsafe(
    `update search_indexes set is_ready = true, refreshed_version = $3 where collection_id = $1 and generation = $2 returning 1`,
    [collectionId, generation, refreshedVersion],
  );
  return rows.length > 0;
}

/** Of this generation: another server may have begun a further one, which has not been refreshed. */
export async function noteRefreshed(
  sql: Sql,
  { collectionId, generation }: { collectionId: number; generation: number },
  version: number,
): Promise<void> {
  await sql.unsafe(
    'update search_indexes set refreshed_version = $2 where collection_id = $1 and refreshed_version < $2 and generation = $3',
    [collectionId, version, generation],
    { prepare: true },
  );
}

/** It is not there in the cluster; what has been made before or since may be. */
export async function noteLost(sql: Sql, collectionId: number, generation: number): Promise<void> {
  await sql.unsafe(
    'update search_indexes set is_ready = false where collection_id = $1 and generation = $2',
    [collectionId, generation],
  );
}

/** With the embedded engine, or where they are another database's: what is in a cluster falls behind from now on, and is made anew by whoever searches it again. */
export async function forgetIndexes(sql: Pick<Sql, 'unsafe'>): Promise<void> {
  await sql.unsafe(`with forgotten as (delete from search_indexes), pending as (delete from index_outbox)
    update collections set is_indexed_apart = false where is_indexed_apart`);
}

/**
 * What there is of an index. `absent`: none was finished. `outdated`: it was laid out by an earlier release, has vectors of another model, or lacks deletions that are no
 * longer known; the record answers until a further one has taken its place. `later`: a later release has made it, in its layout or in a language that is not known
 * here; its servers are to search it.
 */
export type Usability = 'absent' | 'outdated' | 'later' | 'searchable';

export function usabilityOf(standing: IndexStanding): Usability {
  const { isReady, madeBy, pendingVersion, prunedVersion } = standing;
  if (!isReady || madeBy === null) return 'absent';
  const isKnown = madeBy.layout === 'own' || madeBy.layout === 'former';
  if (madeBy.layout === 'later' || (isKnown && readBy(standing) === null)) return 'later';
  const isComplete = pendingVersion === null || pendingVersion > prunedVersion;
  return isKnown && isComplete ? 'searchable' : 'outdated';
}

/** By what the texts in its index were read; null: it is laid out in another way or in a language that is not known here, or there is none. */
export function readBy({ madeBy }: Pick<IndexStanding, 'madeBy'>): Analyzer | null {
  const isKnown = madeBy?.layout === 'own' || madeBy?.layout === 'former';
  return isKnown ? analyzerNamed(madeBy.name) : null;
}

/** False: its texts are to be read by other rules, which are another language's or a later release's, weighed by other constants, or laid out anew. */
export function isCurrent({
  madeBy,
  language,
  constants,
}: Pick<IndexStanding, 'madeBy' | 'language' | 'constants'>): boolean {
  return (
    madeBy?.layout === 'own' &&
    isAsNew(madeBy.name, analyzerOf(language)) &&
    areSame(madeBy.constants, constants)
  );
}
