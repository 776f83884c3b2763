import type { Sql } from 'postgres';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { allDocuments, documentsSince } from '#server/indexes/registry/rows.ts';
import {
  createGeneration,
  dropOlder,
  type GenerationParts,
  generationsOf,
  settleFilled,
  writeRows,
} from './generations.ts';
import type { IndexStanding } from './index-states.ts';
import { noteOf } from './made-by.ts';
import type { OpenedIndex } from './opened-index.ts';
import { noteFaults } from './outbox.ts';
import { refreshIndex } from './refreshes.ts';
import { retryAway } from './retry-away.ts';
import { deletedSince, type RefusedDocument, writeDocuments } from './write-documents.ts';

type Parts = GenerationParts & {
  /** Runs the last step in the collection's turn, in one server. */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>;
};

/**
 * Makes a further generation of an index that is searched and written to meanwhile: it is filled from the record, what was written since follows by its versions, and
 * the last of that while nobody writes to the collection; then the alias goes over. @returns null where another generation was begun, or deletions were forgotten meanwhile
 */
export async function replaceGeneration(
  parts: Parts,
  collection: CollectionHandle,
  standing: IndexStanding,
): Promise<OpenedIndex | null> {
  const { cluster, sql, log, inTurn } = parts;
  const generation = Math.max((standing.generation ?? 0) + 1, Date.now());
  const made = await createGeneration(parts, collection, { ...standing, generation });
  let opened: OpenedIndex | null = null;
  const refused: RefusedDocument[] = [];
  try {
    let documents = 0;
    for await (const rows of allDocuments(sql, collection.id)) {
      refused.push(...(await writeRows(parts, made, collection, rows)));
      documents += rows.length;
    }
    const version = await catchUp(parts, made, collection, { sql, since: standing.version, refused });
    // Before writes wait, so that they wait for the last documents only.
    await retryAway(() => settleFilled(parts, made.index), parts.patienceMs);
    opened = await inTurn(() => takeOver(parts, made, collection, { standing, version, refused }));
    if (opened !== null)
      log.info('the index of a collection was made anew in the search cluster', {
        collectionId: collection.id,
        documents,
      });
  } finally {
    if (opened === null)
      await dropUnlessTaken(parts, collection, { standing, made }).catch((error: unknown) =>
        log.warn('an index that is not taken could not be deleted', { index: made.index, error }),
      );
  }
  // Searches may still be at the one before.
  if (opened !== null) await dropOlder(cluster, standing.name, standing.generation ?? 0);
  return opened;
}

/** The record alone says which one is searched, wherever the alias led by then. */
async function dropUnlessTaken(
  { cluster, sql }: Parts,
  { id }: CollectionHandle,
  { standing, made }: { standing: IndexStanding; made: OpenedIndex },
): Promise<void> {
  const [row] = await sql.unsafe('select generation from search_indexes where collection_id = $1', [id]);
  const generation = Number(row?.['generation']);
  if (generation === made.generation) return;
  const before = (await generationsOf(cluster, standing.name)).find((one) => one.generation === generation);
  const actions = [
    ...(before ? [{ add: { index: before.index, alias: standing.name } }] : []),
    { remove_index: { index: made.index } },
  ];
  await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions } });
}

/** What was written after a version. Adds what the cluster does not take. @returns up to which one it has all */
async function catchUp(
  parts: Parts,
  made: OpenedIndex,
  collection: CollectionHandle,
  { sql, since, refused }: { sql: Pick<Sql, 'unsafe'>; since: number; refused: RefusedDocument[] },
): Promise<number> {
  const [row] = await sql.unsafe('select version from collections where id = $1', [collection.id]);
  const version = Number(row?.['version'] ?? since);
  if (version === since) return version;
  const { cluster, patienceMs } = parts;
  const target = { cluster, index: made.index, requester: collection.for };
  for await (const deleted of deletedSince(sql, collection.id, since)) {
    const batches = deleted.map(({ id, version: own }) => ({ version: own, puts: [], deletes: [id] }));
    await retryAway(() => writeDocuments(target, batches, { ...made, collection }), patienceMs);
  }
  for await (const rows of documentsSince(sql, collection.id, since))
    refused.push(...(await writeRows(parts, made, collection, rows)));
  return version;
}

/** `version`: up to which the new one has all. */
async function takeOver(
  parts: Parts,
  made: OpenedIndex,
  collection: CollectionHandle,
  {
    standing: before,
    version,
    refused,
  }: { standing: IndexStanding; version: number; refused: RefusedDocument[] },
): Promise<OpenedIndex | null> {
  const { cluster, sql, log } = parts;
  const { index } = made;
  return await sql.begin(async (tx) => {
    // Whoever writes waits for this.
    const [row] = await tx.unsafe(
      `select pruned_version, generation, is_ready from collections join search_indexes on search_indexes.collection_id = collections.id
       where id = $1 and deleted_at is null for no key update`,
      [collection.id],
    );
    const isAsBefore = row?.['is_ready'] === true && Number(row['generation']) === before.generation;
    // All deletions since the copy was begun are to be known.
    if (!isAsBefore || Number(row['pruned_version']) > before.version) {
      log.warn('an index that was made anew is not taken: its collection has become another meanwhile', {
        collectionId: collection.id,
      });
      return null;
    }
    // Committed by others; this transaction's own connection waits meanwhile.
    const last = await catchUp(parts, made, collection, { sql: tx, since: version, refused });
    // Where a copy was not, the next search asks the primary.
    const refreshed = (await refreshIndex(cluster, index)) ? last : 0;
    const named = (await generationsOf(cluster, before.name)).filter(({ isNamed }) => isNamed);
    const actions = [
      { add: { index, alias: before.name } },
      ...named.map((old) => ({ remove: { index: old.index, alias: before.name } })),
    ];
    await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions } });
    await tx.unsafe(
      `update search_indexes set generation = $2, analyzer = $3, refreshed_version = $4 where collection_id = $1`,
      [collection.id, made.generation, noteOf(made), refreshed],
    );
    // It has all of these, whoever was to bring them to the one before.
    await tx.unsafe('delete from index_outbox where collection_id = $1 and version <= $2', [
      collection.id,
      last,
    ]);
    await noteFaults({ sql: tx, log }, { collectionId: collection.id, ...made }, refused);
    return made;
  });
}
