import type { RecordStore } from '#server/db/client.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentPage, StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, DeletionAsked, DocumentPart, HoldAnswer, ListPage } from './indexes.ts';
import type { IndexRegistry } from './registry/index-registry.ts';
import type { OpenIndex } from './registry/open-index.ts';
import { readDocuments } from './registry/rows.ts';
import { withinBytes } from './search/answer-bytes.ts';
import { plainQuery, sortOf } from './search/query.ts';
import type { ShownDocument, ShownDocuments } from './search/shown-document.ts';
import { removeDocuments } from './write/statements.ts';

/** Documents deleted, or exported, at once. */
const pageIds = 500;

/** Ids, and a version that the index had whole when they were found. */
interface Found {
  reply: string[];
  version: number;
}

interface DocumentsParts {
  registry: IndexRegistry;
  record: Pick<RecordStore, 'as'>;
  answerBytesMax: number;
  idsAtOnce: number;
}

/** Documents by id and in lists, read from the index, which holds every answered write. */
export class Documents {
  readonly #registry: IndexRegistry;
  readonly #record: Pick<RecordStore, 'as'>;
  readonly #answerBytesMax: number;
  readonly #idsAtOnce: number;

  constructor(parts: DocumentsParts) {
    this.#registry = parts.registry;
    this.#record = parts.record;
    this.#answerBytesMax = parts.answerBytesMax;
    this.#idsAtOnce = parts.idsAtOnce;
  }

  async get(
    collection: CollectionHandle,
    { id, withEmbedding, answerBytesMax }: DocumentPart,
    signal?: AbortSignal,
  ): Promise<ShownDocument> {
    const [found] = await this.#registry.read(
      collection,
      { call: 'documents', ids: [id], withVectors: withEmbedding },
      signal,
    );
    if (!found) throw notFound('Document');
    const embedding = withEmbedding ? found.vectors.subarray(0, collection.dimension) : [];
    const text = embedding.length === 0 ? found.source : withMember(found.source, 'embedding', embedding);
    if (text.byteLength > (answerBytesMax ?? this.#answerBytesMax)) throw tooLargeHere(text.byteLength);
    return new JsonText<StoredDocument>(text);
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
    const limit = { bytesMax: page.answerBytesMax ?? this.#answerBytesMax, countParameter: 'per_page' };
    const { bytesMax } = limit;
    const answer = await withinBytes(
      limit,
      this.#registry.read(collection, { call: 'list', query, shown, bytesMax }, signal),
    );
    return {
      found: answer.found,
      page: page.page,
      per_page: page.perPage,
      documents: new JsonText(answer.hits),
    };
  }

  /** Of 50,000 documents the ids of one moment; one that is deleted before its turn is left out. */
  async *export(
    collection: CollectionHandle,
    filterBy: string | undefined,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { filter } = plainQuery(filterBy, {});
    for (let after: string | null = null; ; ) {
      const request = { call: 'ids', filter, after, limit: this.#idsAtOnce } as const;
      const ids: string[] = await this.#registry.read(collection, request, signal);
      yield* this.#texts(collection, ids, signal);
      after = this.#lastOfFull(ids);
      if (after === null) return;
    }
  }

  async *#texts(
    collection: CollectionHandle,
    ids: string[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < ids.length; ) {
      const page = ids.slice(start, start + pageIds);
      const request = {
        call: 'documents',
        ids: page,
        withVectors: false,
        bytesMax: limits.exportBytesMax,
      } as const;
      const found = await this.#registry.read(collection, request, signal);
      for (const document of found) if (document) yield document.source;
      start += found.length;
    }
  }

  delete(collection: CollectionHandle, id: string, holdAnswer?: HoldAnswer): Promise<ShownDocument> {
    return this.#registry.change(collection, { mayUseReserve: true }, async (index) => {
      const source = await (index ? sourceIn(index, collection, id) : this.#sourceInRecord(collection, id));
      if (source) holdAnswer?.(source.byteLength);
      const batch = source && (await this.#remove(collection, [id]));
      if (!batch || batch.deletes.length === 0) throw notFound('Document');
      return { answer: new JsonText<StoredDocument>(source), batches: [batch] };
    });
  }

  async #sourceInRecord({ id: collectionId, for: { tenant } }: CollectionHandle, id: string) {
    const { sql } = this.#record.as(tenant);
    const found = (await readDocuments(sql, collectionId, [id])).get(id);
    return found && Buffer.from(found.source);
  }

  /** 500 in a turn of the collection's: other changes may come in between. They are looked for before, 50,000 at once, which may take long. */
  async deleteByFilter(
    collection: CollectionHandle,
    filterBy: string,
    { before, signal }: DeletionAsked = {},
  ): Promise<number> {
    const { filter } = plainQuery(filterBy, {});
    if (filter === null) throw badRequest('filter_by', 'is required');
    let deleted = 0;
    let after: string | null = null;
    do {
      const request = { call: 'ids', filter, after, limit: this.#idsAtOnce } as const;
      const found: Found = await this.#registry.readVersion(collection, request, signal);
      if (after === null) await before?.(found.reply.length);
      deleted += await this.#deleteFound(collection, found);
      after = this.#lastOfFull(found.reply);
    } while (after !== null);
    return deleted;
  }

  async #deleteFound(collection: CollectionHandle, { reply: ids, version }: Found): Promise<number> {
    let deleted = 0;
    for (let start = 0; start < ids.length; start += pageIds) {
      const page = ids.slice(start, start + pageIds);
      deleted += await this.#registry.change(collection, { mayUseReserve: true }, async () => {
        const batch = await this.#remove(collection, page, version);
        return { answer: batch.deletes.length, batches: [batch] };
      });
    }
    return deleted;
  }

  /** Behind which the next part begins; null: this one is the last. */
  #lastOfFull(ids: string[]): string | null {
    return ids.length < this.#idsAtOnce ? null : (ids.at(-1) ?? null);
  }

  /** `lastVersion`: what was written later stays. */
  async #remove(collection: CollectionHandle, ids: string[], lastVersion?: number): Promise<WriteBatch> {
    const { sql } = this.#record.as(collection.for.tenant);
    const { version, gone } = await removeDocuments(sql, collection.id, { ids, lastVersion });
    return { version, puts: [], deletes: gone };
  }
}

async function sourceIn(index: OpenIndex, { for: requester }: CollectionHandle, id: string) {
  const [found] = await index.readAfterWrites(requester, {
    call: 'documents',
    ids: [id],
    withVectors: false,
  });
  return found?.source;
}

/** The object's JSON text with one more member at its end; it has one already. */
function withMember(object: Uint8Array, name: string, numbers: Iterable<number>): Uint8Array {
  const member = `,${JSON.stringify(name)}:${JSON.stringify(Array.from(numbers))}}`;
  return Buffer.concat([object.subarray(0, -1), Buffer.from(member)]);
}

/** Only beside other calls in one request: alone, every document fits. */
function tooLargeHere(bytes: number): AppError {
  return new AppError(
    'UNPROCESSABLE',
    `This document has ${bytes} bytes, more than fit beside the other answers of this request: ask for it alone`,
  );
}
