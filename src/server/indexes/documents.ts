import type { Sql } from 'postgres';
import type { WriteBatch } from '#server/engine/types.ts';
import { badRequest, notFound } from '#server/errors.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentPage, StoredDocument } from '#shared/documents.ts';
import type { CollectionHandle, ListPage } from './indexes.ts';
import type { IndexRegistry } from './registry/index-registry.ts';
import { plainQuery, sortOf } from './search/query.ts';
import type { ShownDocument, ShownDocuments } from './search/shown-document.ts';
import { removeDocuments } from './write/statements.ts';

/** Documents deleted, or exported, at once. */
const pageIds = 500;

/** Documents by id and in lists, read from the index, which holds every answered write. */
export class Documents {
  readonly #registry: IndexRegistry;
  readonly #sql: Sql;

  constructor(parts: { registry: IndexRegistry; sql: Sql }) {
    this.#registry = parts.registry;
    this.#sql = parts.sql;
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
  ): Promise<DocumentPage<ShownDocuments>> {
    const offset = (page.page - 1) * page.perPage;
    if (!Number.isSafeInteger(offset)) throw badRequest('page', 'is too large');
    const shown = { include_fields: page.includeFields, exclude_fields: page.excludeFields };
    const query = plainQuery(page.filterBy, { sort: sortOf(page.sortBy), offset, limit: page.perPage });
    const answer = await this.#registry.read(collection, { call: 'list', query, shown }, signal);
    return {
      found: answer.found,
      page: page.page,
      per_page: page.perPage,
      documents: new JsonText(answer.hits),
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
    return this.#registry.change(collection, { mayUseReserve: true }, async (index) => {
      const [found] = await index.readAfterWrites(collection.for, {
        call: 'documents',
        ids: [id],
        withVectors: false,
      });
      const batch = found && (await this.#remove(collection, [id]));
      if (!batch || batch.deletes.length === 0) throw notFound('Document');
      return { answer: new JsonText<StoredDocument>(found.source), batches: [batch] };
    });
  }

  deleteByFilter(collection: CollectionHandle, filterBy: string): Promise<number> {
    const { filter } = plainQuery(filterBy, {});
    if (filter === null) throw badRequest('filter_by', 'is required');
    return this.#registry.change(collection, { mayUseReserve: true }, async (index) => {
      const ids = await index.readAfterWrites(collection.for, { call: 'ids', filter });
      const batches: WriteBatch[] = [];
      for (let start = 0; start < ids.length; start += pageIds) {
        batches.push(await this.#remove(collection, ids.slice(start, start + pageIds)));
      }
      return { answer: batches.reduce((sum, { deletes }) => sum + deletes.length, 0), batches };
    });
  }

  async #remove(collection: CollectionHandle, ids: string[]): Promise<WriteBatch> {
    const { version, gone } = await removeDocuments(this.#sql, collection.id, ids);
    return { version, puts: [], deletes: gone };
  }
}
