import type { Sql } from 'postgres';
import type { Requester } from '#server/admission/requester.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import { versionOrder } from '#server/indexes/registry/rows.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { type Cluster, unavailable } from './cluster.ts';
import { ClusterError, IndexBlocked } from './cluster-error.ts';
import { type DocumentParts, indexDocument } from './index-document.ts';
import { writeAliasOf } from './write-alias.ts';

/** Documents of one version and ids that it deleted; documents of several where each says its own. */
export type VersionedBatch = Pick<WriteBatch, 'version' | 'deletes'> & {
  puts: (WriteBatch['puts'][number] & { version?: number })[];
};

/** What the cluster does not take. */
export interface RefusedDocument {
  id: string;
  version: number;
  reason: string;
}

/** Of one request. */
const itemsMax = 500;
const bytesMax = 5 * 1024 * 1024;

/** Its document is there already, or was written later: what is applied twice is applied once. */
const conflict = 409;
/** A deletion of what is not there. */
const missing = 404;
const bad = 400;

interface Action {
  id: string;
  version: number;
  /** Null: it is deleted. */
  document: object | null;
}

/**
 * Hands documents to the cluster, each with the version that wrote it: an older one never takes the place of a newer. Answers those that
 * are refused for themselves. @throws AppError UNAVAILABLE: some may be written; ClusterError
 */
export async function writeDocuments(
  { cluster, index, requester }: { cluster: Cluster; index: string; requester: Requester },
  batches: VersionedBatch[],
  parts: DocumentParts,
): Promise<RefusedDocument[]> {
  const refused: RefusedDocument[] = [];
  let actions: Action[] = [];
  let bytes = 0;
  const add = async (action: Action, itsBytes: number) => {
    actions.push(action);
    bytes += itsBytes;
    if (actions.length >= itemsMax || bytes >= bytesMax) await send();
  };
  const send = async () => {
    if (actions.length > 0) refused.push(...(await sendActions(cluster, index, actions)));
    actions = [];
    bytes = 0;
  };
  for (const { version, puts, deletes } of batches) {
    for (const id of deletes) await add({ id, version, document: null }, id.length);
    for (const put of puts) {
      const document = await stepsInTurns(requester, indexDocument(put, parts));
      // About: texts go as words, as terms, and as terms of content, those two once more beside all others, and a component of a vector as a dozen digits.
      await add(
        { id: put.id, version: put.version ?? version, document },
        5 * put.source.length + 12 * put.vectors.length,
      );
    }
  }
  await send();
  return refused;
}

interface Item {
  status: number;
  error?: { type?: string; reason?: string; caused_by?: { reason?: string } };
}

async function sendActions(cluster: Cluster, index: string, actions: Action[]): Promise<RefusedDocument[]> {
  const into = writeAliasOf(index);
  const lines = actions.flatMap(({ id, version, document }) => {
    const head = { _index: into, _id: id, version, version_type: 'external' };
    return document === null ? [{ delete: head }] : [{ index: head }, document];
  });
  const request = { method: 'POST', path: '/_bulk', query: { require_alias: 'true' }, lines } as const;
  const { items } = await cluster.ask<{ items: Record<string, Item>[] }>(request);
  return actions.flatMap(({ id, version, document }, i) => {
    const [item] = Object.values(items[i] ?? {});
    if (item === undefined) throw unavailable(new Error('the search cluster told nothing of a document'));
    const { status, error } = item;
    const isGone = document === null && status === missing && error === undefined;
    if (status < 300 || status === conflict || isGone) return [];
    const reason = error?.caused_by?.reason ?? error?.reason ?? `status ${status}`;
    if (error?.type === 'cluster_block_exception') throw unavailable(new IndexBlocked(status, reason));
    if (status === bad) return [{ id, version, reason }];
    throw status === missing
      ? new ClusterError(status, reason, { missingIndex: index })
      : unavailable(new ClusterError(status, reason));
  });
}

/** What a version wrote that has not been written again since, as the record has it. */
export async function readVersions(
  sql: Sql,
  collectionId: number,
  versions: number[],
): Promise<{ deletes: Map<number, string[]>; ids: string[] }> {
  const asked = [collectionId, JSON.stringify(versions)];
  const among = 'version = any(array(select json_array_elements_text($2::text::json)::bigint))';
  const [gone, there] = await Promise.all([
    sql.unsafe(`select id, version from deletions where collection_id = $1 and ${among}`, asked),
    sql.unsafe(`select id from documents where ${versionOrder} = $1 and ${among}`, asked),
  ]);
  const deletes = new Map<number, string[]>();
  for (const row of gone) {
    const version = Number(row['version']);
    deletes.set(version, [...(deletes.get(version) ?? []), String(row['id'])]);
  }
  return { deletes, ids: there.map((row) => String(row['id'])) };
}

/** Ids deleted after a version, each with the one that deleted it, in pages. One that was written again afterwards is among them too. */
export async function* deletedSince(
  sql: Pick<Sql, 'unsafe'>,
  collectionId: number,
  version: number,
): AsyncGenerator<{ id: string; version: number }[]> {
  const limit = 10_000;
  // An id is never empty.
  for (let last = { version: version + 1, id: '' }; ; ) {
    const rows = await sql.unsafe(
      `select id, version from deletions where collection_id = $1 and (version, id) > ($2, $3) order by version, id limit $4`,
      [collectionId, last.version, last.id, limit],
    );
    const deleted = rows.map((row) => ({ id: String(row['id']), version: Number(row['version']) }));
    const end = deleted.at(-1);
    if (!end) return;
    yield deleted;
    last = end;
  }
}
