import type { Sql } from 'postgres';
import { AppError } from '#server/errors.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { analyzerOf } from '#server/indexes/language/analyzer-of.ts';
import { allDocuments, type StoredRow } from '#server/indexes/registry/rows.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { beginGeneration, endGeneration, type IndexStanding, readBy } from './index-states.ts';
import { KnownFields } from './known-fields.ts';
import { noteOf } from './made-by.ts';
import { indexMapping, indexSettings } from './mapping.ts';
import type { OpenedIndex } from './opened-index.ts';
import { noteFaults } from './outbox.ts';
import { retryAway } from './retry-away.ts';
import { writeAliasOf } from './write-alias.ts';
import { type RefusedDocument, writeDocuments } from './write-documents.ts';

export interface GenerationParts {
  cluster: Cluster;
  sql: Sql;
  log: Log;
  /** Told of documents that have come in. */
  onMade: ((documents: number) => void) | undefined;
  /** How long a cluster that is away is waited for while an index is filled. */
  patienceMs: number;
  /** The server ends: what is not finished is left. */
  ending: AbortSignal;
}

type Standing = Pick<IndexStanding, 'name' | 'language' | 'constants' | 'fields' | 'generation'>;

const indexOf = (name: string, generation: number) => `${name}-${generation}`;

/** Making an index takes part of a second, longer where many are made. */
const createTimeoutMs = 120_000;
/** A node that is there all the time is waited for; that it is gone is told by other means. */
const settleTimeoutMs = 600_000;

/**
 * Makes a collection's index anew from the record, where there is none that can be searched: a further generation is filled, and takes the place of those before it
 * in one step. In the collection's turn. @throws as `writeDocuments`
 */
export async function makeGeneration(
  parts: GenerationParts,
  collection: CollectionHandle,
  standing: Standing,
): Promise<OpenedIndex> {
  const { cluster, sql, log, patienceMs } = parts;
  const note = noteOf({ analyzer: analyzerOf(standing.language), constants: standing.constants });
  const generation = await beginGeneration(sql, collection.id, note);
  const made = await createGeneration(parts, collection, { ...standing, generation });
  const { index } = made;
  let documents = 0;
  const refused: RefusedDocument[] = [];
  for await (const rows of allDocuments(sql, collection.id)) {
    refused.push(...(await writeRows(parts, made, collection, rows)));
    documents += rows.length;
  }
  await retryAway(async () => {
    await settleFilled(parts, index);
    const before = (await generationsOf(cluster, standing.name)).filter(
      (other) => other.generation < generation,
    );
    const actions = [
      { add: { index, alias: standing.name } },
      ...before.map((other) => ({ remove_index: { index: other.index } })),
    ];
    await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions }, timeoutMs: createTimeoutMs });
  }, patienceMs);
  await noteFaults({ sql, log }, { collectionId: collection.id, generation }, refused);
  // What was written meanwhile is noted, and comes with the next search.
  await endGeneration(sql, collection.id, { generation, refreshedVersion: 0 });
  log.info('the index of a collection was made in the search cluster', {
    collectionId: collection.id,
    documents,
  });
  return made;
}

/** An empty index that nobody is led to yet. */
export async function createGeneration(
  { cluster, patienceMs }: Pick<GenerationParts, 'cluster' | 'patienceMs'>,
  collection: CollectionHandle,
  { name, language, constants, fields, generation }: Standing & { generation: number },
): Promise<OpenedIndex> {
  const index = indexOf(name, generation);
  const create = () =>
    cluster.ask({
      method: 'PUT',
      path: `/${index}`,
      body: {
        settings: indexSettings(constants),
        mappings: indexMapping(collection),
        aliases: { [writeAliasOf(index)]: {} },
      },
      timeoutMs: createTimeoutMs,
    });
  await retryAway(create, patienceMs).catch((error: unknown) => {
    // Made by an attempt that got no answer: no other server makes one of this name.
    if (!(error instanceof ClusterError)) throw error;
    if (makesNone(error)) throw noFurtherIndex(error);
    if (!error.message.includes('already exists')) throw error;
  });
  const known = new KnownFields([]);
  const madeBy = { analyzer: analyzerOf(language), constants };
  return {
    ...madeBy,
    name,
    generation,
    index,
    declared: fields,
    known,
    hasContent: true,
    shape: null,
    recount: null,
    counted: null,
    drawn: null,
  };
}

/** What it says where its nodes have as many shards as they may, or it is told to make no indexes. */
const makesNone = ({ message }: ClusterError) =>
  /maximum (normal )?shards open|cluster create-index blocked/.test(message);

/** Whoever runs the cluster can do something about it. */
function noFurtherIndex(cause: ClusterError): AppError {
  const message =
    'The search cluster makes no further indexes at the moment, so that this collection has none yet; nothing was stored or searched';
  return new AppError('UNAVAILABLE', message, { cause, retryAfterSeconds: 60 });
}

/** The graphs of all its vectors are made by that, and a node that is lost later has nothing of what it was filled with to write again. */
export async function settleFilled(
  { cluster, log }: Pick<GenerationParts, 'cluster' | 'log'>,
  index: string,
): Promise<void> {
  const ask = <Answer>(step: string) =>
    cluster.ask<Answer>({ method: 'POST', path: `/${index}/${step}`, timeoutMs: settleTimeoutMs });
  await ask('_refresh');
  // Without it a node that comes back takes longer, and that is all.
  try {
    const { _shards: copies } = await ask<{ _shards: { failed: number } }>('_flush');
    if (copies.failed > 0) log.warn('a copy of an index that was made was not committed', { index });
  } catch (error) {
    log.warn('an index that was made was not committed', { index, error });
  }
}

/** @returns those that the cluster does not take. @throws as `writeDocuments` */
export async function writeRows(
  { cluster, onMade, patienceMs, ending }: GenerationParts,
  opened: OpenedIndex,
  collection: CollectionHandle,
  rows: StoredRow[],
): Promise<RefusedDocument[]> {
  ending.throwIfAborted();
  const batch = { version: 0, puts: rows, deletes: [] };
  const target = { cluster, index: opened.index, requester: collection.for };
  const write = () => writeDocuments(target, [batch], { ...opened, collection });
  const refused = await retryAway(write, patienceMs);
  onMade?.(rows.length);
  return refused;
}

/** What is there of a collection, also what nobody finished. `isNamed`: the alias without a generation leads to it. */
export async function generationsOf(
  cluster: Cluster,
  name: string,
): Promise<{ index: string; generation: number; isNamed: boolean }[]> {
  const found = await cluster.ask<Record<string, { aliases: object }>>({
    method: 'GET',
    path: `/${name}-*/_alias`,
  });
  return Object.entries(found).map(([index, { aliases }]) => ({
    index,
    generation: generationIn(index),
    isNamed: name in aliases,
  }));
}

/** It follows the last hyphen. */
export function generationIn(index: string): number {
  return Number(index.slice(index.lastIndexOf('-') + 1));
}

/** An index that is there, with the fields that it has. */
export async function openGeneration(
  cluster: Cluster,
  { name, language, constants, fields, generation, madeBy }: Standing & Pick<IndexStanding, 'madeBy'>,
): Promise<OpenedIndex> {
  const index = indexOf(name, generation ?? 0);
  const [paths] = await Promise.all([pathsOf(cluster, index), ensureWriteAlias(cluster, index)]);
  return {
    name,
    generation: generation ?? 0,
    index,
    // Language and constants may be others by now.
    analyzer: readBy({ madeBy }) ?? analyzerOf(language),
    constants: madeBy?.constants ?? constants,
    declared: fields,
    known: new KnownFields(paths),
    hasContent: madeBy?.layout !== 'former',
    shape: null,
    recount: null,
    counted: null,
    drawn: null,
  };
}

/** One that a former release has made has none. */
async function ensureWriteAlias(cluster: Cluster, index: string): Promise<void> {
  const alias = writeAliasOf(index);
  const request = { method: 'GET', path: `/${index}/_alias` } as const;
  const found = await cluster.ask<Record<string, { aliases: object }>>(request);
  if (alias in (found[index]?.aliases ?? {})) return;
  await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions: [{ add: { index, alias } }] } });
}

async function pathsOf(cluster: Cluster, index: string): Promise<string[]> {
  const paths = { terms: { field: 'kinds', include: 'f.*', size: 1_000 } };
  const { aggregations } = await cluster.ask<{ aggregations: { paths: { buckets: { key: string }[] } } }>({
    method: 'POST',
    path: `/${index}/_search`,
    body: { size: 0, aggs: { paths } },
  });
  return aggregations.paths.buckets.map(({ key }) => key.slice(1));
}

/** All generations of a collection. */
export async function dropGenerations(cluster: Cluster, name: string): Promise<void> {
  for (const { index } of await generationsOf(cluster, name)) await dropIndex(cluster, index);
}

/** All that came before this one. */
export async function dropOlder(cluster: Cluster, name: string, generation: number): Promise<void> {
  for (const { index, generation: its } of await generationsOf(cluster, name))
    if (its < generation) await dropIndex(cluster, index);
}

/** What is not there is gone already. */
async function dropIndex(cluster: Cluster, index: string): Promise<void> {
  await cluster.ask({ method: 'DELETE', path: `/${index}` }).catch((error: unknown) => {
    if (!(error instanceof ClusterError) || error.status !== 404) throw error;
  });
}
