import type { RecordStore } from '#server/db/client.ts';
import { toRecordError } from '#server/db/record-error.ts';
import { badRequest, notFound } from '#server/errors.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentPage, StoredDocument } from '#shared/documents.ts';
import type { EngineHost } from './host/engine-host.ts';
import type { CollectionHandle, ListPage, ShownDocument } from './indexes.ts';
import type { IndexRegistry } from './registry/registry.ts';
import { shownDocument } from './search/projection.ts';
import { plainQuery, sortOf } from './search/query.ts';
import { removeDocuments } from './write/statements.ts';

/** Documents deleted, or exported, at once. */
const pageIds = 500;

/** Documents by id and in lists, read from the index, which holds every answered write. */
export class DocumentStore {
  readonly #registry: IndexRegistry;
  readonly #record: RecordStore;

  constructor(parts: { registry: IndexRegistry; record: RecordStore }) {
    this.#registry = parts.registry;
    this.#record = parts.record;
  }

  async get(
    collection: CollectionHandle,
    { id, withEmbedding }: { id: string; withEmbedding: boolean },
    signal?: AbortSignal,
  ): Promise<ShownDocument> {
    const [found] = await this.#registry.read(
      collection,
      { call: 'documents', ids: [id], withVectors: withEmbedding },
      signal,
    );
    if (!found) throw notFound('Document');
    const document = new JsonText<StoredDocument>(found.source);
    if (!withEmbedding || found.vectors.length === 0) return document;
    return { ...document.parse(), embedding: Array.from(found.vectors.subarray(0, collection.dimension)) };
  }

  async list(
    collection: CollectionHandle,
    page: ListPage,
    signal?: AbortSignal,
  ): Promise<DocumentPage<ShownDocument>> {
    const offset = (page.page - 1) * page.perPage;
    if (!Number.isSafeInteger(offset)) throw badRequest('page', 'is too large');
    const shown = { include_fields: page.includeFields, exclude_fields: page.excludeFields };
    const query = plainQuery(page.filterBy, { sort: sortOf(page.sortBy), offset, limit: page.perPage });
    const answer = await this.#registry.read(collection, { call: 'search', query }, signal);
    return {
      found: answer.found,
      page: page.page,
      per_page: page.perPage,
      documents: answer.hits.map((hit) => shownDocument(hit.source, shown)),
    };
  }

  /** The ids of one moment; a document that is deleted before its turn is left out. */
  async *export(
    collection: CollectionHandle,
    filterBy: string | undefined,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { filter } = plainQuery(filterBy, {});
    const ids = await this.#registry.read(collection, { call: 'ids', filter }, signal);
    for (let start = 0; start < ids.length; start += pageIds) {
      const page = ids.slice(start, start + pageIds);
      const found = await this.#registry.read(
        collection,
        { call: 'documents', ids: page, withVectors: false },
        signal,
      );
      for (const document of found) if (document) yield document.source;
    }
  }

  delete(collection: CollectionHandle, id: string): Promise<ShownDocument> {
    return this.#change(collection, async (host, remove) => {
      const [found] = await host.call(collection.id, {
        call: 'documents',
        ids: [id],
        withVectors: false,
      });
      const gone = found ? await remove([id]) : 0;
      if (!found || gone === 0) throw notFound('Document');
      return new JsonText<StoredDocument>(found.source);
    });
  }

  deleteByFilter(collection: CollectionHandle, filterBy: string): Promise<number> {
    const { filter } = plainQuery(filterBy, {});
    if (filter === null) throw badRequest('filter_by', 'is required');
    return this.#change(collection, async (host, remove) => {
      const ids = await host.call(collection.id, { call: 'ids', filter });
      let gone = 0;
      for (let start = 0; start < ids.length; start += pageIds) {
        gone += await remove(ids.slice(start, start + pageIds));
      }
      return gone;
    });
  }

  async #change<T>(
    collection: CollectionHandle,
    task: (host: EngineHost, remove: (ids: string[]) => Promise<number>) => Promise<T>,
  ): Promise<T> {
    await this.#record.assertWritable({ mayUseReserve: true });
    return this.#registry.change(collection, (turn) =>
      task(turn.host, async (ids) => {
        const { version, gone } = await this.#statement(
          removeDocuments(this.#record.sql, collection.id, ids),
        );
        turn.apply({ version, puts: [], deletes: gone });
        return gone.length;
      }),
    );
  }

  async #statement<T>(statement: Promise<T>): Promise<T> {
    try {
      return await statement;
    } catch (error) {
      throw toRecordError(error) ?? error;
    }
  }
}
