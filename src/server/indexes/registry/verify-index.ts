import type { Sql } from 'postgres';
import { AppError } from '#server/errors.ts';
import type { Verified } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import type { EngineReply } from '../host/engine-calls.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { CollectionIndexes } from './collection-indexes.ts';
import { allDocuments, readDocuments, readSizes, readState } from './rows.ts';

const idsAtOnce = 5_000;

/**
 * Compares an index with its record: each document of the record is looked for in the index, with its text, and each of the index in the
 * record. Others write meanwhile, so what seems to differ is looked at again in the collection's turn, when the index has all that was written.
 * @throws AppError as reads and changes do, the signal's reason
 */
export async function verifyIndex(
  { registry, sql }: { registry: Pick<CollectionIndexes, 'read' | 'change'>; sql: Sql },
  collection: CollectionHandle,
  signal?: AbortSignal,
): Promise<Verified> {
  const suspects = new Set<string>();
  const isEnough = () => suspects.size > limits.verifyIdsMax;
  for await (const rows of allDocuments(sql, collection.id)) {
    const ids = rows.map(({ id }) => id);
    const found = await registry.read(collection, { call: 'documents', ids, withVectors: false }, signal);
    for (const [i, { id, source }] of rows.entries()) if (!isSame(found[i], source)) suspects.add(id);
    if (isEnough()) break;
  }
  for (let after: string | null = null; !isEnough(); ) {
    const ids: string[] = await registry.read(
      collection,
      { call: 'ids', filter: null, after, limit: idsAtOnce },
      signal,
    );
    const known = await readSizes(sql, collection.id, ids);
    for (const id of ids) if (!known.has(id)) suspects.add(id);
    if (ids.length < idsAtOnce) break;
    after = ids.at(-1) ?? null;
  }
  return await registry.change(collection, { mayUseReserve: true }, async (index) => {
    if (index === null)
      throw new AppError('UNPROCESSABLE', 'The index of this collection is too large to be opened');
    const ids = [...suspects].slice(0, limits.verifyIdsMax);
    const rows = await readDocuments(sql, collection.id, ids);
    const found = await index.read(collection.for, { call: 'documents', ids, withVectors: false }, signal);
    const state = await readState(sql, collection.id);
    const kinds = ids.map((id, i) => kindOf(rows.get(id), found[i]));
    const named = (kind: Difference) => ids.filter((_, i) => kinds[i] === kind);
    const answer = {
      documents: state?.documentCount ?? 0,
      indexed: index.stats.documentCount,
      missing: named('missing'),
      ghosts: named('ghosts'),
      stale: named('stale'),
      more: isEnough(),
      scan: index.stats.scan,
      recall: index.stats.recall,
    };
    return { answer, batches: [] };
  });
}

type Difference = 'missing' | 'ghosts' | 'stale';
type Found = EngineReply<'documents'>[number] | undefined;

function kindOf(row: { source: string } | undefined, found: Found): Difference | null {
  if (!row) return found ? 'ghosts' : null;
  if (!found) return 'missing';
  return isSame(found, row.source) ? null : 'stale';
}

function isSame(found: Found, source: string): boolean {
  return found ? Buffer.from(source).equals(found.source) : false;
}
