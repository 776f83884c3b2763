import type { Sql } from 'postgres';
import { AppError } from '#server/errors.ts';
import { calledOf } from '#shared/embedding.ts';
import { pageOf, storedRow, type ToUpgrade } from '../registry/rows.ts';
import { isUpgraded, lockCollection } from '../write/statements.ts';
import { refusedModel } from '../write/without-vector.ts';

/** The statements by which a collection is moved to another model: vectors are made beside the live ones, then all take their place at once. */

interface Move {
  collectionId: number;
  /** That it is moved to. */
  model: string;
}

/**
 * A caller's own vectors are of no model; those of another version of the document are worth nothing. A subquery of its own for each row, in
 * the order of the key: as a join Postgres would read the whole table for each page.
 */
const lacksNext = `documents.collection_id = $3 and documents.model_id is distinct from 'custom' and documents.id > $4 and (
  select next.version from next_vectors next
  where next.collection_id = documents.collection_id and next.id = documents.id and next.model = $5
) is distinct from documents.version`;

/** Documents behind an id that have no vectors of the next model yet: the first that come to so many bytes together, and one at least. */
export async function readToMove(
  sql: Pick<Sql, 'unsafe'>,
  { collectionId, model }: Move,
  { after, rowsMax, bytesMax }: { after: string; rowsMax: number; bytesMax: number },
): Promise<ToUpgrade[]> {
  const parameters = [bytesMax, rowsMax, collectionId, after, model];
  const rows = await sql.unsafe(pageOf(lacksNext, 'id'), parameters);
  return rows.map(storedRow);
}

const putNextRows = `
insert into next_vectors (collection_id, id, version, model, content_hash, model_id, vectors, spans)
select $1, row.id, row.version, $3, decode(row.hash, 'hex'), row.model, decode(row.vectors, 'base64'), row.spans
from json_to_recordset($2::text::json) as row(id text, version bigint, hash text, model text, vectors text, spans integer[])
on conflict (collection_id, id) do update set version = excluded.version, model = excluded.model, content_hash = excluded.content_hash,
  model_id = excluded.model_id, vectors = excluded.vectors, spans = excluded.spans`;

/** `rows`: as `encodeUpgradedRows` makes them. */
export async function putNext(
  sql: Pick<Sql, 'unsafe'>,
  { collectionId, model }: Move,
  rows: string,
): Promise<void> {
  await sql.unsafe(putNextRows, [collectionId, rows, model], { prepare: true });
}

/** By the key: Postgres knows nothing yet of a table that was filled just now, and would read all of both for each page. */
const byKey = `select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Documents may be refused for what they are; where many are, it is the service's settings that are wrong. */
const refusedMin = 10;
const refusedShare = 1 / 20;

/**
 * Before all take their place: the live vectors stay where the next model has none for many documents, and these are asked for again.
 * @throws AppError UNAVAILABLE
 */
export async function assertFewRefused(
  sql: Pick<Sql, 'unsafe'>,
  { collectionId, model }: Move,
): Promise<void> {
  const [counts] = await sql.unsafe(countNext, [collectionId, model], { prepare: true });
  const [all, refused] = [Number(counts?.['all']), Number(counts?.['refused'])];
  if (refused < refusedMin || refused < all * refusedShare) return;
  await sql.unsafe(forgetRefused, [collectionId, model], { prepare: true });
  throw new AppError(
    'UNAVAILABLE',
    `The collection is not moved: ${calledOf(model).toLowerCase()} refuses ${refused} of ${all} documents`,
  );
}

const countNext = `select count(*) as all, count(*) filter (where model_id = '${refusedModel}') as refused
  from next_vectors where collection_id = $1 and model = $2`;
const forgetRefused = `delete from next_vectors where collection_id = $1 and model = $2 and model_id = '${refusedModel}'`;

/** So many in a statement: none takes long. */
const swappedAtOnce = 2_000;
const forgottenAtOnce = 2_000;

/** Also those of which the move was given up. */
export async function collectionsBeingMoved(sql: Pick<Sql, 'unsafe'>): Promise<number[]> {
  const rows = await sql.unsafe(
    'select id from collections where exists (select 1 from next_vectors where collection_id = collections.id)',
  );
  return rows.map((row) => Number(row['id']));
}

/** What is being overwritten is passed over: nobody waits for it, so that none waits for each other. */
const forgetPage = `
with page as (
  select id from next_vectors where collection_id = $1 and id > $2 and model <> $3
  order by id limit ${forgottenAtOnce} for update skip locked
), forgotten as (
  delete from next_vectors using page where next_vectors.collection_id = $1 and next_vectors.id = page.id returning page.id
)
select count(*)::int as count, max(id) as last from forgotten`;

/** Removes vectors behind an id that are of another model than the one that it is moved to. @returns how many, and the last one's id */
export async function forgetOthers(
  sql: Pick<Sql, 'unsafe'>,
  { collectionId, model }: Move,
  after: string,
): Promise<{ count: number; last: string | null }> {
  const [row] = await sql.unsafe(forgetPage, [collectionId, after, model]);
  return { count: Number(row?.['count']), last: row?.['last'] ?? null };
}

/** What callers know of a document stays, its version with it. */
const swapRows = `
with page as (
  select id, version, content_hash, model_id, vectors, spans from next_vectors
  where collection_id = $1 and id > $2 and model = $3 order by id limit ${swappedAtOnce}
), swapped as (
  update documents set version = $4, written_version = coalesce(documents.written_version, documents.version),
    content_hash = page.content_hash, model_id = page.model_id, vectors = page.vectors, spans = page.spans
  from page where documents.collection_id = $1 and documents.id = page.id and documents.version = page.version
  returning ${isUpgraded('documents')} as is_upgraded
)
select (select max(id) from page) as last, (select count(*) filter (where is_upgraded) from swapped) as upgraded`;

/**
 * Puts all vectors of the next model in the place of the live ones, in one transaction, in the collection's turn.
 * @returns its version; the one before it is none of a batch, so that whoever has applied that sees that it lacks something
 * @throws AppError NOT_FOUND when the collection is deleted
 */
export async function swapVectors(tx: Pick<Sql, 'unsafe'>, { collectionId, model }: Move): Promise<number> {
  const version = (await lockCollection(tx, collectionId)) + 2;
  await tx.unsafe(byKey);
  let upgraded = 0;
  for (let last: string | null = ''; last !== null; ) {
    const parameters: (string | number)[] = [collectionId, last, model, version];
    const [page] = await tx.unsafe(swapRows, parameters, { prepare: true });
    upgraded += Number(page?.['upgraded'] ?? 0);
    last = page?.['last'] ?? null;
  }
  await tx.unsafe('delete from next_vectors where collection_id = $1', [collectionId]);
  // Indexes are made anew: to take all documents over a second time, they would need twice the memory.
  const ended = `update collections set version = $2, pruned_version = $2, model = $3, upgraded_count = $4 where id = $1`;
  await tx.unsafe(ended, [collectionId, version, model, upgraded]);
  await tx.unsafe('delete from deletions where collection_id = $1', [collectionId]);
  return version;
}
