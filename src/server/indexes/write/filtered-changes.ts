import type { Sql } from 'postgres';
import type { RecordStore } from '#server/db/client.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, FilteredChange, WritableCollection } from '../indexes.ts';
import type { Change } from '../registry/change.ts';
import type { CollectionIndexes } from '../registry/collection-indexes.ts';
import { readState } from '../registry/rows.ts';
import { plainQuery } from '../search/query.ts';
import { parseChange } from './document.ts';
import type { Ingest } from './ingest.ts';
import { removeDocuments } from './statements.ts';

/** Deleted in one statement. */
const idsOfStatement = 2_000;

interface FilteredChangesParts {
  registry: CollectionIndexes;
  ingest: Ingest;
  record: Pick<RecordStore, 'as'>;
  idsAtOnce: number;
}

interface AskedSet {
  filter: string;
  after: string | null;
  /** Asked before anything of it is changed. */
  before: ((count: number) => Promise<void>) | undefined;
}

/** A set of documents was changed; `last`: behind which the next one begins, null when this one was the last. */
interface ChangedSet {
  changed: number;
  last: string | null;
}

/**
 * Changes to all documents that pass a filter, set by set in id order. A set is changed in one transaction: whatever happens, all of it is
 * changed or none. Between two sets other changes may come in; a document that then comes to pass the filter before the last id that was
 * seen stays as it is, and none is changed twice.
 */
export class FilteredChanges {
  readonly #registry: CollectionIndexes;
  readonly #ingest: Ingest;
  readonly #record: Pick<RecordStore, 'as'>;
  readonly #idsAtOnce: number;

  constructor(parts: FilteredChangesParts) {
    this.#registry = parts.registry;
    this.#ingest = parts.ingest;
    this.#record = parts.record;
    this.#idsAtOnce = parts.idsAtOnce;
  }

  /** They are looked for outside of the collection's turn, which may take long; what is written meanwhile stays. */
  delete(collection: CollectionHandle, change: FilteredChange, signal?: AbortSignal): Promise<number> {
    const limit = Math.min(this.#idsAtOnce, limits.deletedAtOnceMax);
    return this.#all(change, async ({ filter, after, before }) => {
      const request = { call: 'ids', filter, after, limit } as const;
      const found: { reply: string[]; version: number } = await this.#registry.readVersion(
        collection,
        request,
        signal,
      );
      const { reply: ids, version } = found;
      await before?.(ids.length);
      if (ids.length === 0) return { changed: 0, last: null };
      const changed = await this.#registry.change(collection, { mayUseReserve: true }, async () => {
        const batches = await this.#remove(collection, { ids, lastVersion: version });
        return { answer: batches.reduce((sum, { deletes }) => sum + deletes.length, 0), batches };
      });
      return { changed, last: ids.length < limit ? null : (ids.at(-1) ?? null) };
    });
  }

  /** Merges `document` into each of them; those with other texts get other vectors. @throws AppError also what is wrong with one of them */
  async merge(
    collection: WritableCollection,
    change: FilteredChange,
    document: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<number> {
    const parsed = parseChange(collection, document);
    const merge = ({ filter, after, before }: AskedSet, limit: number) =>
      this.#registry.change(collection, {}, async (index): Promise<Change<ChangedSet>> => {
        if (!index) throw new Error('a change that adds to an index was given none');
        signal?.throwIfAborted();
        const version = await this.#versionOf(collection);
        const request = { call: 'ids', filter, after, limit } as const;
        const ids = await index.readAfterWrites(collection.for, request, signal);
        await before?.(ids.length);
        if (ids.length === 0) return { answer: { changed: 0, last: null }, batches: [] };
        const merged = await this.#ingest.mergeInto(collection, { ids, version, change: parsed, signal });
        const { changed, batches } = merged;
        const isLast = ids.length < limit && changed === ids.length;
        return { answer: { changed, last: isLast ? null : (ids[changed - 1] ?? null) }, batches };
      });
    const most = Math.min(this.#idsAtOnce, limits.mergedAtOnceMax);
    // Of fewer, which take less time, another server is less likely to change one meanwhile.
    return await this.#all(change, (asked) =>
      this.#ingest.untilCurrent(collection, (tries) => merge(asked, Math.ceil(most / 4 ** (tries - 1)))),
    );
  }

  async #versionOf({ id, for: { tenant } }: CollectionHandle): Promise<number> {
    const state = await readState(this.#record.as(tenant).sql, id);
    if (state === null) throw notFound('Collection');
    return state.version;
  }

  async #all(
    { filterBy, before, assertAllowed }: FilteredChange,
    changeSet: (asked: AskedSet) => Promise<ChangedSet>,
  ): Promise<number> {
    const { filter } = plainQuery(filterBy, {});
    if (filter === null) throw badRequest('filter_by', 'is required');
    let changed = 0;
    let after: string | null = null;
    let isBegun = false;
    // The first set may be tried again.
    const beforeFirst = async (count: number) => {
      if (!isBegun) await before?.(count);
      isBegun = true;
    };
    do {
      const isFirst: boolean = after === null;
      const asked: AskedSet = { filter, after, before: isFirst ? beforeFirst : assertAllowed };
      const set: ChangedSet = await changeSet(asked).catch((error: unknown) => {
        throw isFirst ? error : withChanged(error, changed);
      });
      changed += set.changed;
      after = set.last;
    } while (after !== null);
    return changed;
  }

  async #remove(
    collection: CollectionHandle,
    { ids, lastVersion }: { ids: string[]; lastVersion: number },
  ): Promise<WriteBatch[]> {
    const { sql } = this.#record.as(collection.for.tenant);
    const batches: WriteBatch[] = [];
    const remove = async (within: Pick<Sql, 'unsafe'>, part: string[]) => {
      const { version, gone } = await removeDocuments(within, collection.id, { ids: part, lastVersion });
      batches.push({ version, puts: [], deletes: gone });
    };
    if (ids.length <= idsOfStatement) await remove(sql, ids);
    else {
      await sql.begin(async (tx) => {
        for (let from = 0; from < ids.length; from += idsOfStatement)
          await remove(tx, ids.slice(from, from + idsOfStatement));
      });
    }
    return batches;
  }
}

/** The same failure, which says what it does not undo. */
function withChanged(error: unknown, changed: number): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details, retryAfterSeconds } = error;
  return new AppError(code, `${message}. ${changed} documents before it are changed; the rest is not`, {
    cause: error,
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
