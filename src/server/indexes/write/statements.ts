import type { Sql } from 'postgres';
import { transformerModelId } from '#server/embeddings/transformer/transformer.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { IndexedDocument } from '#server/engine/types.ts';
import { notFound } from '#server/errors.ts';
import { toQuotaError } from '#server/quotas/document-quotas.ts';
import { jsonTextInSteps } from '#server/wire/json-in-steps.ts';
import { modelPrefixes } from '#shared/embedding.ts';
import { OutdatedError } from './outdated.ts';
import { pendingModel } from './without-vector.ts';

/**
 * The statements that change a collection's documents. Each is ONE statement: lock the collection's row → rows → version and count. A
 * single statement needs one round trip. Rows travel as one JSON text, measured the fastest form.
 *
 * Writes to one collection take turns in a server; those of several servers wait here for the row. All parts of a statement see the same snapshot,
 * taken before it waited. So the version comes from the locked row, and what documents were before from a function, which sees what was committed
 * meanwhile; what is updated or deleted is looked at again by Postgres itself.
 *
 * Statements that update or delete by ids are planned each time (not `prepare`), with both parts of the key as what is joined: see `stored_documents` in drizzle/.
 */

/** A document as the record keeps it. */
export interface DocumentRow {
  id: string;
  /** JSON text, `id` included, `embedding` left out. */
  source: string;
  contentHash: Uint8Array;
  modelId: string | null;
  /** Passages × dimension; empty: no vector. */
  vectors: Float32Array;
  spans: Int32Array;
}

export interface WriteOutcome {
  version: number;
  /** Ids that were not there before. */
  created: Set<string>;
  /** Ids that are in now: all, or with `keepExisting` only the created ones. */
  written: Set<string>;
}

/** Whether the transformer made a document's vectors, a service, or a model that is run here. */
export const isUpgraded = (table: string) =>
  `(${table}.model_id = '${transformerModelId}' or ${table}.model_id like any ('{${Object.values(
    modelPrefixes,
  )
    .map((prefix) => `${prefix}%`)
    .join(',')}}'))`;

/** All of the rows are written, or none: `old` is read before the first one is, since all of it is counted. */
const putRows = (onConflict: string) => `
with target as (
  select id, project_id, model, version + 1 as version from collections where id = $1 and deleted_at is null for update
), given as (
  select id, version from json_to_recordset($4::text::json) as given(id text, version bigint)
), old as materialized (
  select old.* from target, document_states(target.id, array(select id from given)) old
), put as (
  select target.id, target.project_id, target.version from target where model = $5 and (
    select count(*) filter (where given.version <> coalesce(old.version, 0)) from given left join old on old.id = given.id
  ) = 0
), written as (
  insert into documents (collection_id, id, version, source, content_hash, model_id, vectors, spans)
  select put.id, row.id, put.version, row.source, decode(row.hash, 'hex'), row.model, decode(row.vectors, 'base64'), row.spans
  from put, json_to_recordset($2::text::json)
    as row(id text, source text, hash text, model text, vectors text, spans integer[])
  on conflict (collection_id, id) ${onConflict}
  returning id, (xmax = 0) as is_created, octet_length(source) as bytes, (${isUpgraded('documents')})::int as upgraded
), added as (
  select count(*) filter (where is_created) as documents, coalesce(sum(written.bytes - coalesce(old.bytes, 0)), 0)::bigint as bytes,
    coalesce(sum(coalesce(written.upgraded, 0) - coalesce((${isUpgraded('old')})::int, 0)), 0) as upgraded
  from written left join old on old.id = written.id
), bump as (
  update collections set version = put.version, updated_at = now(),
    document_count = collections.document_count + added.documents, document_bytes = collections.document_bytes + added.bytes,
    upgraded_count = collections.upgraded_count + added.upgraded
  from put, added where collections.id = put.id
  returning collections.version
), room as (
  select assert_document_quotas(put.project_id, added.documents, added.bytes, $3::text::jsonb) as is_left
  from bump, put, added where $3::text is not null
)
select (select version from bump) as version, (select model from target) as model, (select is_left from room) as is_left,
  (select coalesce(array_agg(id), '{}') from written) as written,
  (select coalesce(array_agg(id), '{}') from written where is_created) as created`;

const replaceRow = `do update set version = excluded.version, written_version = null, source = excluded.source, content_hash = excluded.content_hash,
  model_id = excluded.model_id, vectors = excluded.vectors, spans = excluded.spans`;
const putReplacing = putRows(replaceRow);
const putKeeping = putRows('do nothing');

/** Rows with different ids as `putDocuments` takes them: their JSON. */
export function encodeRows(rows: DocumentRow[]): Steps<string> {
  return jsonTextInSteps(rows.map(encodeRow));
}

interface PutOptions {
  /** The document of each row; `version`: that it had when it was read, 0 where there was none, null where it was not. */
  documents: { id: string; version: number | null }[];
  /** The collection's, as the record has it, that the vectors are made for. */
  model: string;
  keepExisting: boolean;
  documentLimits: string | null;
}

/**
 * Writes rows as one version.
 * @throws AppError NOT_FOUND when the collection is deleted, UNPROCESSABLE (a quota); OutdatedError when documents have other versions now, or the
 * collection another model: nothing is written
 */
export async function putDocuments(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  rows: string,
  { documents, model, keepExisting, documentLimits }: PutOptions,
): Promise<WriteOutcome> {
  const text = keepExisting ? putKeeping : putReplacing;
  const parameters = [collectionId, rows, documentLimits, JSON.stringify(documents), model];
  const [answer] = await sql.unsafe(text, parameters, { prepare: true }).catch((error: unknown) => {
    throw toQuotaError(error) ?? error;
  });
  if (answer?.['version'] == null && answer?.['model'] != null) throw new OutdatedError(answer['model']);
  return {
    version: versionOf(answer),
    created: new Set<string>(answer?.['created']),
    written: new Set<string>(answer?.['written']),
  };
}

/** Until the transaction is over no other server writes to the collection. @throws AppError NOT_FOUND when it is deleted */
export async function lockCollection(tx: Pick<Sql, 'unsafe'>, collectionId: number): Promise<number> {
  const text = 'select version from collections where id = $1 and deleted_at is null for update';
  const [row] = await tx.unsafe(text, [collectionId], { prepare: true });
  return versionOf(row);
}

/** Rows as the engine takes them. */
export function toPuts(rows: DocumentRow[]): IndexedDocument[] {
  return rows.map(({ id, source, vectors, spans }) => ({ id, source, vectors, spans }));
}

/** A row as JSON that `json_to_recordset` reads. */
function encodeRow(row: DocumentRow) {
  const { vectors } = row;
  return {
    id: row.id,
    source: row.source,
    hash: Buffer.from(row.contentHash).toString('hex'),
    model: row.modelId,
    vectors:
      vectors.length === 0
        ? null
        : Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength).toString('base64'),
    spans: Array.from(row.spans),
  };
}

const removeRows = `
with target as (
  select id, version + 1 as version from collections where id = $1 and deleted_at is null for update
), given as materialized (
  select distinct target.id as collection_id, asked.id from target, json_array_elements_text($2::text::json) as asked(id)
), gone as (
  delete from documents using given
  where documents.collection_id = given.collection_id and documents.id = given.id
    and ($3::bigint is null or coalesce(documents.written_version, documents.version) <= $3::bigint)
  returning documents.id, octet_length(documents.source) as bytes, ${isUpgraded('documents')} as is_upgraded
), noted as (
  insert into deletions (collection_id, id, version) select target.id, gone.id, target.version from gone, target
), bump as (
  update collections set version = target.version, updated_at = now(),
    document_count = collections.document_count - (select count(*) from gone),
    document_bytes = collections.document_bytes - (select coalesce(sum(bytes), 0) from gone),
    upgraded_count = collections.upgraded_count - (select count(*) filter (where is_upgraded) from gone)
  from target where collections.id = target.id
  returning collections.version
)
select (select version from bump) as version, (select coalesce(array_agg(id), '{}') from gone) as gone`;

/** Deletes documents as one version: those that were written up to `lastVersion`, or any. @throws AppError NOT_FOUND when the collection is deleted */
export async function removeDocuments(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  { ids, lastVersion = null }: { ids: string[]; lastVersion?: number | null | undefined },
): Promise<{ version: number; gone: string[] }> {
  const parameters = [collectionId, JSON.stringify(ids), lastVersion];
  const [answer] = await sql.unsafe(removeRows, parameters);
  return { version: versionOf(answer), gone: answer?.['gone'] ?? [] };
}

function versionOf(answer: Record<string, unknown> | undefined): number {
  if (answer?.['version'] == null) throw notFound('Collection');
  return Number(answer['version']);
}

const upgradeRows = `
with target as (
  select id, version + 1 as version from collections where id = $1 and deleted_at is null for update
), given as materialized (
  select target.id as collection_id, target.version as next_version, row.* from target, json_to_recordset($2::text::json)
    as row(id text, version bigint, hash text, model text, vectors text, spans integer[])
), upgraded as (
  update documents set version = given.next_version, written_version = coalesce(documents.written_version, documents.version),
    content_hash = decode(given.hash, 'hex'), model_id = given.model, vectors = decode(given.vectors, 'base64'), spans = given.spans
  from given where documents.collection_id = given.collection_id and documents.id = given.id and documents.version = given.version
    and (documents.model_id like 'static-%' or documents.model_id = '${pendingModel}')
  returning documents.id, ${isUpgraded('documents')} as is_upgraded
), bump as (
  update collections set version = target.version, upgraded_count = collections.upgraded_count + (select count(*) filter (where is_upgraded) from upgraded)
  from target where collections.id = target.id
  returning collections.version
)
select (select version from bump) as version, (select coalesce(array_agg(id), '{}') from upgraded) as upgraded`;

/** A stored document with other vectors. */
export type UpgradedRow = DocumentRow & { version: number };

/** Rows with different ids as statements take them that change vectors alone: their JSON, without texts. */
export function encodeUpgradedRows(rows: UpgradedRow[]): Steps<string> {
  return jsonTextInSteps(
    rows.map(({ version, ...row }) => ({ ...encodeRow({ ...row, source: '' }), version })),
  );
}

/** Gives documents that are as they were read better vectors, or their first, as one version. @throws AppError NOT_FOUND when the collection is deleted */
export async function upgradeDocuments(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  rows: string,
): Promise<{ version: number; upgraded: Set<string> }> {
  const [answer] = await sql.unsafe(upgradeRows, [collectionId, rows]);
  return { version: versionOf(answer), upgraded: new Set<string>(answer?.['upgraded']) };
}

const pruneRows = `
with gone as (delete from deletions where collection_id = $1 and version <= $2)
update collections set pruned_version = $2 where id = $1 and pruned_version < $2`;

/** Forgets deletions that a written snapshot already contains. */
export async function pruneDeletions(sql: Sql, collectionId: number, version: number): Promise<void> {
  await sql.unsafe(pruneRows, [collectionId, version], { prepare: true });
}
