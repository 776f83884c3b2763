import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import type { RefusedDocument } from './write-documents.ts';

/** Versions that are not known to be in their collection's index: noted in the transaction that wrote them, forgotten once the cluster has them. */

export interface PendingVersion {
  collectionId: number;
  version: number;
}

/** Those of a collection behind a version up to another, the first first, whoever is at work at them: what is applied twice is applied once. */
export async function pendingOf(
  sql: Sql,
  collectionId: number,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<number[]> {
  const rows = await sql.unsafe(
    `select version from index_outbox where collection_id = $1 and version > $2 and version <= $3 and fault is null
     order by version limit $4`,
    [collectionId, after, upTo, limit],
    { prepare: true },
  );
  return rows.map((row) => Number(row['version']));
}

/** Takes up some that are due: for so long they are nobody else's, and longer after each try. */
export async function takeDue(sql: Sql, limit: number): Promise<PendingVersion[]> {
  const rows = await sql.unsafe(
    `update index_outbox set tries = tries + 1, due_at = now() + least(300, 10 * 2 ^ least(tries, 5)) * interval '1 second'
     where (collection_id, version) in (
       select collection_id, version from index_outbox where due_at <= now() and fault is null
       order by due_at limit $1 for update skip locked
     ) returning collection_id, version`,
    [limit],
  );
  return rows
    .map((row) => ({ collectionId: Number(row['collection_id']), version: Number(row['version']) }))
    .sort((a, b) => a.collectionId - b.collectionId || a.version - b.version);
}

/** Where the index that has them is still the collection's: another server may be at work at a further generation, which is to have them too. */
export async function forgetApplied(
  sql: Sql,
  { collectionId, generation }: { collectionId: number; generation: number },
  versions: number[],
): Promise<void> {
  if (versions.length === 0) return;
  await sql.unsafe(
    `delete from index_outbox where collection_id = $1 and fault is null
       and version in (select json_array_elements_text($2::text::json)::bigint)
       and exists (select from search_indexes where collection_id = $1 and generation = $3 and is_ready)`,
    [collectionId, JSON.stringify(versions), generation],
    { prepare: true },
  );
}

/** These are logged, and not tried again as they are. Of an index that is still the collection's, as for `forgetApplied`. */
export async function noteFaults(
  { sql, log }: { sql: Pick<Sql, 'unsafe'>; log: Log },
  { collectionId, generation }: { collectionId: number; generation: number },
  refused: RefusedDocument[],
): Promise<void> {
  if (refused.length === 0) return;
  for (const { id, reason } of refused)
    log.error('the search cluster does not take a document, which is not found by searches', {
      collectionId,
      id,
      reason,
    });
  await sql.unsafe(
    `insert into index_outbox as own (collection_id, version, fault, refused)
       select $1::bigint, told.version, min(told.reason), array_agg(distinct told.id)
       from json_to_recordset($3::text::json) as told (id text, version bigint, reason text)
       where exists (select from search_indexes where collection_id = $1 and generation = $2)
       group by told.version
     on conflict (collection_id, version) do update set fault = excluded.fault,
       refused = (select array_agg(distinct id) from unnest(coalesce(own.refused, '{}') || excluded.refused) as id)`,
    [collectionId, generation, JSON.stringify(refused)],
  );
}

/** Faults of documents that have been written anew since, or deleted: what became of them then is told of their next version. */
export async function forgetMended(sql: Sql): Promise<void> {
  await sql.unsafe(`delete from index_outbox where fault is not null and not exists (
    select from documents where (documents.collection_id + 0) = index_outbox.collection_id
      and documents.version = index_outbox.version and (refused is null or documents.id = any(refused)))`);
}

/** How many wait, and how many are not tried again. */
export async function readLag(sql: Sql): Promise<{ waiting: number; givenUp: number }> {
  const [row] = await sql.unsafe(
    'select count(*) filter (where fault is null) as waiting, count(*) filter (where fault is not null) as given_up from index_outbox',
  );
  return { waiting: Number(row?.['waiting'] ?? 0), givenUp: Number(row?.['given_up'] ?? 0) };
}
