import type { RecordStore } from '#server/db/client.ts';
import type { WriteBatch } from '#server/engine/types.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentPage, DocumentVersion, StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { EngineReply } from './host/engine-calls.ts';
import type { CollectionHandle, DocumentPart, Exported, HoldAnswer, ListPage } from './indexes.ts';
import type { AskedIndex } from './registry/asked-index.ts';
import { toCallerError } from './registry/caller-errors.ts';
import type { CollectionIndexes } from './registry/collection-indexes.ts';
import { readDocuments, readRecorded } from './registry/rows.ts';
import { withinBytes } from './search/answer-bytes.ts';
import { plainQuery, sortOf } from './search/query.ts';
import type { ShownDocument, ShownDocuments } from './search/shown-document.ts';
import { removeDocuments } from './write/statements.ts';

/** Of an export, whose pages grow to what fits into their bytes. */
const firstPageRows = 1_000;
const pageRowsMax = 20_000;
/** Whoever reads is asked for between two pieces. */
const pieceBytesMax = 64 * 1024;

interface DocumentsParts {
  registry: CollectionIndexes;
  record: Pick<RecordStore, 'as'>;
  answerBytesMax: number;
  idsAtOnce: number;
}

/** Documents by id and in lists, read from the index, which holds every answered write. */
export class Documents {
  readonly #registry: CollectionIndexes;
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

  async getVersion(
    collection: CollectionHandle,
    { id, answerBytesMax }: Omit<DocumentPart, 'withEmbedding'>,
  ): Promise<DocumentVersion<ShownDocument>> {
    const found = await this.#recorded(collection, id).catch((error: unknown) => {
      throw toCallerError(error);
    });
    if (!found) throw notFound('Document');
    const text = Buffer.from(found.source);
    if (text.byteLength > (answerBytesMax ?? this.#answerBytesMax)) throw tooLargeHere(text.byteLength);
    const { version, hasOwnVector } = found;
    return { version, own_embedding: hasOwnVector, document: new JsonText<StoredDocument>(text) };
  }

  async #recorded({ id: collectionId, for: { tenant } }: CollectionHandle, id: string) {
    const { sql } = this.#record.as(tenant);
    // The first one is read whatever it has.
    const [found] = await readRecorded(sql, collectionId, { ids: [id], bytesMax: 0 });
    return found;
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

  /**
   * Page after page by the last id, so that nothing is held but a page: lines of one moment each. One that is written behind the last id is
   * among them, one that is deleted before its turn is not.
   */
  async *export(
    collection: CollectionHandle,
    { filterBy, includeFields, excludeFields }: Exported,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { filter } = plainQuery(filterBy, {});
    const shown = { include_fields: includeFields, exclude_fields: excludeFields };
    const bytesMax = limits.exportBytesMax;
    let limit = Math.min(this.#idsAtOnce, firstPageRows);
    for (let after: string | null = null; ; ) {
      const request = { call: 'lines', filter, after, limit, shown, bytesMax } as const;
      const page: EngineReply<'lines'> = await this.#registry.read(collection, request, signal);
      yield* piecesOf(page.lines);
      if (page.last === null) return;
      after = page.last;
      // As many as fitted, and some more: ids that do not fit are looked for in vain.
      limit = Math.min(this.#idsAtOnce, pageRowsMax, 2 * page.count);
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

  async #remove(collection: CollectionHandle, ids: string[]): Promise<WriteBatch> {
    const { sql } = this.#record.as(collection.for.tenant);
    const { version, gone } = await removeDocuments(sql, collection.id, { ids });
    return { version, puts: [], deletes: gone };
  }
}

/** Copies, so that one which waits for its reader does not keep the whole page. */
function* piecesOf(lines: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < lines.byteLength; from += pieceBytesMax)
    yield new Uint8Array(lines.subarray(from, from + pieceBytesMax));
}

async function sourceIn(index: AskedIndex, { for: requester }: CollectionHandle, id: string) {
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
