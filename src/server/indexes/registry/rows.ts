import type { Sql } from 'postgres';
import type { IndexedDocument, IndexSettings } from '#server/engine/types.ts';
import type { DeclaredField } from '#shared/collections.ts';
import type { RecordedDocument } from '../indexes.ts';
import { actingLanguage } from '../language/acting-language.ts';

/** Reading the record back: single documents for merges, pages of them for restoring an index. */

export interface StoredRow extends IndexedDocument {
  version: number;
  /** The version that wrote what callers see of it. */
  writtenVersion: number;
  contentHash: Uint8Array;
  modelId: string | null;
}

const columns = 'id, version, written_version, source, content_hash, model_id, vectors, spans';

/** Those of collection $1 with the ids of the JSON text $2. */
export const storedDocuments = 'stored_documents($1, array(select json_array_elements_text($2::text::json)))';

/** The documents with these ids, those that exist. */
export async function readDocuments(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  ids: string[],
): Promise<Map<string, StoredRow>> {
  const rows = await sql.unsafe(
    `select ${columns} from ${storedDocuments}`,
    [collectionId, JSON.stringify(ids)],
    { prepare: true },
  );
  return new Map(rows.map((row) => [row['id'], storedRow(row)]));
}

/** By id, the first vectors of those that have one. */
export async function readFirstVectors(
  sql: Sql,
  { id: collectionId, dimension }: Pick<IndexSettings, 'dimension'> & { id: number },
  ids: string[],
): Promise<Map<string, Float32Array>> {
  const rows = await sql.unsafe(
    `select id, substring(vectors for $3) as vectors from ${storedDocuments} where vectors is not null`,
    [collectionId, JSON.stringify(ids), 4 * dimension],
    { prepare: true },
  );
  return new Map(rows.map((row) => [String(row['id']), storedVectors(row).vectors]));
}

/** Texts with the versions that wrote them, in the order of the ids: the first that come to `bytesMax` bytes together, and one at least. */
export async function readRecorded(
  sql: Sql,
  collectionId: number,
  { ids, bytesMax }: { ids: string[]; bytesMax: number },
): Promise<RecordedDocument[]> {
  const rows = await sql.unsafe(
    `select id, coalesce(written_version, version) as version, source, model_id from (
       select documents.*, place, octet_length(source) as bytes, sum(octet_length(source)) over (order by place) as bytes_until
       from json_array_elements_text($2::text::json) with ordinality as asked(asked_id, place)
       join ${storedDocuments} documents on documents.id = asked.asked_id
     ) sized where bytes_until <= $3 or bytes_until = bytes order by place`,
    [collectionId, JSON.stringify(ids), bytesMax],
    { prepare: true },
  );
  return rows.map((row) => ({
    id: String(row['id']),
    version: Number(row['version']),
    source: String(row['source']),
    hasOwnVector: row['model_id'] === 'custom',
  }));
}

const rowBytes = 'octet_length(source) + coalesce(octet_length(vectors), 0)';

/** What reading them would take; none of their texts is. */
export async function readSizes(sql: Sql, collectionId: number, ids: string[]): Promise<Map<string, number>> {
  const rows = await sql.unsafe(
    `select id, ${rowBytes} as bytes from ${storedDocuments}`,
    [collectionId, JSON.stringify(ids)],
    { prepare: true },
  );
  return new Map(rows.map((row) => [row['id'], Number(row['bytes'])]));
}

/** What stands for a document's text: equal content, equal vectors. */
export type StoredVectors = Pick<StoredRow, 'contentHash' | 'modelId' | 'vectors' | 'spans'>;

/** The vectors of those documents whose content is stored already; a caller's own vector is none of its text. */
export async function readUnchanged(
  sql: Sql,
  collectionId: number,
  contents: { id: string; contentHash: Uint8Array }[],
): Promise<Map<string, StoredVectors>> {
  const hashes = contents.map(({ contentHash }) => Buffer.from(contentHash).toString('hex'));
  const rows = await sql.unsafe(
    `select documents.id, content_hash, model_id, vectors, spans
     from json_array_elements_text($2::text::json) with ordinality as asked(id, place)
     join json_array_elements_text($3::text::json) with ordinality as hashes(hash, place) using (place)
     join ${storedDocuments} documents on documents.id = asked.id
       and documents.content_hash = decode(hash, 'hex') and documents.model_id is distinct from 'custom'`,
    [collectionId, JSON.stringify(contents.map(({ id }) => id)), JSON.stringify(hashes)],
    { prepare: true },
  );
  return new Map(rows.map((row) => [row['id'], storedVectors(row)]));
}

/** A document whose vectors the table made, or that has none yet. */
export type ToUpgrade = Pick<StoredRow, 'id' | 'version' | 'source' | 'modelId' | 'vectors' | 'spans'>;

/** As the record's partial indexes have them. */
export const upgradable = { table: "model_id like 'static-%'", pending: "model_id = 'pending'" };

/** The first that come to so many bytes together, and one at least. */
export async function readToUpgrade(
  sql: Sql,
  collectionId: number,
  { rowsMax, bytesMax, of }: { rowsMax: number; bytesMax: number; of: keyof typeof upgradable },
): Promise<ToUpgrade[]> {
  const rows = await sql.unsafe(pageOf(`collection_id = $3 and ${upgradable[of]}`, 'id'), [
    bytesMax,
    rowsMax,
    collectionId,
  ]);
  return rows.map(storedRow);
}

export interface CollectionState {
  version: number;
  prunedVersion: number;
  documentCount: number;
  /** Of their JSON texts. */
  documentBytes: number;
  /** Microseconds since 1970: tells a collection from another database's with the same id. */
  createdAtMicros: string;
  /** Its declared fields. */
  fields: IndexSettings['fields'];
  /** That its texts are read as, ISO 639-1; null: none is set or detected. */
  language: string | null;
}

/** Null: deleted or purged. */
export async function readState(sql: Sql, collectionId: number): Promise<CollectionState | null> {
  const [row] = await sql.unsafe(
    `select version, pruned_version, document_count, document_bytes, (extract(epoch from created_at) * 1000000)::bigint::text as created_at_micros,
       coalesce(metadata -> 'fields', '[]') as fields,
       ${actingLanguage} as language
     from collections where id = $1 and deleted_at is null`,
    [collectionId],
    { prepare: true },
  );
  return row
    ? {
        version: Number(row['version']),
        prunedVersion: Number(row['pruned_version']),
        documentCount: Number(row['document_count']),
        documentBytes: Number(row['document_bytes']),
        createdAtMicros: row['created_at_micros'],
        fields: (row['fields'] as DeclaredField[]).map(({ name, type }) => ({ name, type })),
        language: row['language'],
      }
    : null;
}

/** All documents, in pages by key. */
export function allDocuments(sql: Sql, collectionId: number): AsyncGenerator<StoredRow[]> {
  return pages(async (last) => {
    const rows = await sql.unsafe(pageOf('collection_id = $3 and id > $4', 'id'), [
      pageBytes,
      pageRowsMax,
      collectionId,
      last?.id ?? '',
    ]);
    return rows.map(storedRow);
  });
}

/** Of an index for this alone: as one by the collection, it would be read whole for documents that are asked for by their ids. */
export const versionOrder = '(collection_id + 0)';

/** Documents written after a version, in pages in the order of writing. */
export function documentsSince(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  version: number,
): AsyncGenerator<StoredRow[]> {
  return pages(async (last) => {
    const rows = await sql.unsafe(
      pageOf(`${versionOrder} = $3 and (version, id) > ($4, $5)`, 'version, id'),
      // An id is never empty, so this starts at the first row of the next version.
      [pageBytes, pageRowsMax, collectionId, ...(last ? [last.version, last.id] : [version + 1, ''])],
    );
    return rows.map(storedRow);
  });
}

/** Ids deleted after a version, in pages. A document written again afterwards is among them too. */
export async function* deletionsSince(
  sql: Sql,
  collectionId: number,
  version: number,
): AsyncGenerator<string[]> {
  const limit = 10_000;
  let last = { version: version + 1, id: '' };
  for (;;) {
    const rows = await sql.unsafe(
      `select id, version from deletions where collection_id = $1 and (version, id) > ($2, $3) order by version, id limit $4`,
      [collectionId, last.version, last.id, limit],
      { prepare: true },
    );
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map((row) => row['id']);
    if (rows.length < limit) return;
    last = { version: Number(end['version']), id: end['id'] };
  }
}

const pageBytes = 4 * 1024 * 1024;
const pageRowsMax = 500;

/**
 * The first rows that come to $1 bytes together, $2 at most, and one at least. Lengths are known without reading the texts. To be planned each time it is
 * asked (not `prepare`): a plan that was made while the table had few rows would read all of a collection for each page, for as long as its connection lasts.
 */
export function pageOf(condition: string, order: string): string {
  return `select ${columns} from (
    select *, sum(${rowBytes}) over (order by ${order}) as bytes_until, ${rowBytes} as bytes
    from (select * from documents where ${condition} order by ${order} limit $2) rows
  ) sized where bytes_until <= $1 or bytes_until = bytes order by ${order}`;
}

/** Pages of about the same weight, whatever a document weighs. */
async function* pages(
  read: (last: StoredRow | undefined) => Promise<StoredRow[]>,
): AsyncGenerator<StoredRow[]> {
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) yield rows;
}

export function storedRow(row: Record<string, unknown>): StoredRow {
  return {
    id: String(row['id']),
    version: Number(row['version']),
    writtenVersion: Number(row['written_version'] ?? row['version']),
    source: String(row['source']),
    ...storedVectors(row),
  };
}

function storedVectors(row: Record<string, unknown>): StoredVectors {
  return {
    contentHash: row['content_hash'] instanceof Uint8Array ? row['content_hash'] : new Uint8Array(),
    modelId: typeof row['model_id'] === 'string' ? row['model_id'] : null,
    vectors: row['vectors'] instanceof Uint8Array ? floats(row['vectors']) : new Float32Array(0),
    spans: Int32Array.from(Array.isArray(row['spans']) ? row['spans'].map(Number) : []),
  };
}

/** A copy: the driver's bytes need not be aligned to four. */
function floats(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength >> 2);
}
