import type { Sql } from 'postgres';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { analyzerOf } from '#server/indexes/language/analyzer-of.ts';
import { allDocuments } from '#server/indexes/registry/rows.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { beginGeneration, endGeneration, type IndexStanding } from './index-states.ts';
import { KnownFields } from './known-fields.ts';
import { indexMapping, indexSettings, layoutOf } from './mapping.ts';
import type { OpenedIndex } from './opened-index.ts';
import { writeDocuments } from './write-documents.ts';

interface GenerationParts {
  cluster: Cluster;
  sql: Sql;
  log: Log;
  /** Told of documents that have come in. */
  onMade: ((documents: number) => void) | undefined;
}

type Standing = Pick<IndexStanding, 'name' | 'language' | 'fields' | 'generation'>;

/** Making an index takes part of a second, longer where many are made. */
const createTimeoutMs = 120_000;

/**
 * Makes a collection's index anew from the record: a further generation is filled beside the one before it, which answers nobody any more, and takes its place
 * in one step. In the collection's turn. @throws as `writeDocuments`
 */
export async function makeGeneration(
  { cluster, sql, log, onMade }: GenerationParts,
  collection: CollectionHandle,
  standing: Standing,
): Promise<OpenedIndex> {
  const analyzer = analyzerOf(standing.language);
  const generation = await beginGeneration(sql, collection.id, layoutOf(analyzer));
  const index = `${standing.name}-${generation}`;
  await cluster.ask({
    method: 'PUT',
    path: `/${index}`,
    body: { settings: indexSettings(), mappings: indexMapping(collection) },
    timeoutMs: createTimeoutMs,
  });
  const known = new KnownFields([]);
  const opened = {
    name: standing.name,
    generation,
    analyzer,
    declared: standing.fields,
    known,
    shape: null,
    drawn: null,
  };
  let documents = 0;
  for await (const rows of allDocuments(sql, collection.id)) {
    const refused = await writeDocuments(
      { cluster, index, requester: collection.for },
      [{ version: 0, puts: rows, deletes: [] }],
      { ...opened, collection },
    );
    documents += rows.length;
    onMade?.(rows.length);
    for (const { id, reason } of refused)
      log.error('the search cluster does not take a document', { collectionId: collection.id, id, reason });
  }
  await cluster.ask({ method: 'POST', path: `/${index}/_refresh` });
  const before = (await indicesOf(cluster, standing.name)).filter((name) => generationIn(name) < generation);
  const actions = [
    { add: { index, alias: standing.name } },
    ...before.map((name) => ({ remove_index: { index: name } })),
  ];
  await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions }, timeoutMs: createTimeoutMs });
  // What was written meanwhile is noted, and comes with the next search.
  await endGeneration(sql, collection.id, { generation, refreshedVersion: 0 });
  log.info('the index of a collection was made in the search cluster', {
    collectionId: collection.id,
    documents,
  });
  return opened;
}

/** What is there of a collection, also what nobody finished. */
async function indicesOf(cluster: Cluster, name: string): Promise<string[]> {
  const found = await cluster.ask<object>({ method: 'GET', path: `/${name}-*/_alias` });
  return Object.keys(found);
}

/** It follows the last hyphen. */
function generationIn(index: string): number {
  return Number(index.slice(index.lastIndexOf('-') + 1));
}

/** An index that is there, with the fields that it has. */
export async function openGeneration(
  cluster: Cluster,
  { name, language, fields, generation }: Standing,
): Promise<OpenedIndex> {
  const known = new KnownFields(await pathsOf(cluster, name));
  return {
    name,
    generation: generation ?? 0,
    analyzer: analyzerOf(language),
    declared: fields,
    known,
    shape: null,
    drawn: null,
  };
}

async function pathsOf(cluster: Cluster, name: string): Promise<string[]> {
  const paths = { terms: { field: 'kinds', include: 'f.*', size: 1_000 } };
  const { aggregations } = await cluster.ask<{ aggregations: { paths: { buckets: { key: string }[] } } }>({
    method: 'POST',
    path: `/${name}/_search`,
    body: { size: 0, aggs: { paths } },
  });
  return aggregations.paths.buckets.map(({ key }) => key.slice(1));
}

/** All generations of a collection. What is not there is gone already. */
export async function dropGenerations(cluster: Cluster, name: string): Promise<void> {
  for (const index of await indicesOf(cluster, name)) {
    await cluster.ask({ method: 'DELETE', path: `/${index}` }).catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.status !== 404) throw error;
    });
  }
}
