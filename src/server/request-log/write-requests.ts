import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { requests } from '#server/db/schema/requests.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { limits } from '#shared/limits.ts';
import type { RequestRow } from './request-row.ts';

/** Of one statement: to write down a hundred takes some milliseconds, for which nothing else goes on. */
const rowsAtOnce = 100;

/**
 * In statements of some rows each, with the names that the keys have now; workspaces purged meanwhile drop out. Twice the same batch, whose commit nobody heard of, is
 * written once. Its commit does not wait for the disk: what a power loss takes is less than a killed process loses.
 */
export async function writeRequests(db: Database, rows: RequestRow[]): Promise<void> {
  await db.execute(sql`select set_config('synchronous_commit', 'off', true)`);
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await insert(db, rows.slice(from, from + rowsAtOnce));
}

async function insert(db: Database, rows: RequestRow[]): Promise<void> {
  await db.execute(
    sql`with told as (
          select * from json_to_recordset(${JSON.stringify(rows.map(toTold))}::text::json) as told (
            workspace_id bigint, place bigint, request_id text, created_at timestamptz, operation text, type text, way text,
            key_id bigint, collection_id bigint, collection_name text, status smallint, took_ms double precision,
            found bigint, words text, error_code text, error_message text, input text, answer text, replay text,
            left_out integer)
        ),
          living as (
        select id from ${workspaces} where id in (select workspace_id from told) order by id for key share
        )
        insert into ${requests} (workspace_id, place, request_id, created_at, operation, type, way, key_id, key_name,
          collection_id, collection_name, status, took_ms, found, words, error_code, error_message, input, answer, replay,
          left_out)
        select workspace_id, place, request_id, told.created_at, operation, type, way, key_id, ${apiKeys.name},
          collection_id, collection_name, status, took_ms, found, words, error_code, error_message, input, answer, replay,
          left_out
        from told left join ${apiKeys} on ${apiKeys.id} = told.key_id
        where workspace_id in (select id from living)
        on conflict do nothing`,
  );
}

function toTold({ request, workspaceId, place, at, leftOut }: RequestRow): Record<string, unknown> {
  const { collection } = request;
  const { words, error, input, answer, replay } = request.toTexts();
  return {
    workspace_id: workspaceId,
    place,
    request_id: request.requestId,
    created_at: at,
    operation: request.operation,
    type: request.type,
    way: request.way,
    key_id: request.keyId,
    collection_id: collection?.id ?? null,
    collection_name: collection?.name ?? null,
    status: request.status,
    took_ms: request.tookMs,
    found: request.found,
    words,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    input,
    // Postgres gives a column of text the JSON as it is written here.
    answer,
    replay,
    left_out: leftOut,
  };
}

/** Those of a workspace beyond what is kept. */
export async function dropOldest(db: Database, workspaceId: number): Promise<void> {
  await db.execute(
    sql`delete from ${requests} where workspace_id = ${workspaceId} and place <= (
          select place from ${requests} where workspace_id = ${workspaceId}
          order by place desc offset ${limits.requestsKeptMax} limit 1)`,
  );
}
