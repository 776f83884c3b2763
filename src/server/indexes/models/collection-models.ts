import { makePgArray } from 'drizzle-orm/pg-core';
import type { RecordStore } from '#server/db/client.ts';
import type { BuiltInTier, Embedder, Tier } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { rotatedModelId } from '#server/embeddings/static-embedder.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { builtInModel, isBuiltInModel, rotatedModel } from '#shared/built-in-models.ts';
import { builtInDimension } from '../built-in-index.ts';
import { toCallerError } from '../registry/caller-errors.ts';

const rememberedMax = 100_000;

/** What makes the vectors of a collection's documents. */
export interface DocumentModel {
  id: string;
  /** What the collection's row calls it. */
  recorded: string;
  /** Null: they are made later, by a service. */
  embedder: Pick<Embedder, 'embedDocuments'> | null;
}

interface ModelsParts {
  record: Pick<RecordStore, 'sql'>;
  embedder: Pick<Embedder, 'id' | 'embedDocuments'>;
  service: Pick<EmbeddingService, 'id' | 'fits'> | null;
  /** Whether collections of other models are moved to the one that new ones have. */
  isMoving: boolean;
  /** Told after a collection was moved here. */
  onMoved?: (collectionId: number) => void;
  /** How far the built-in model is with a collection's documents. */
  builtInTierOf: (collectionId: number) => BuiltInTier;
}

/**
 * Which model a collection's vectors are of: it is decided when it is made and stands in the record, so that vectors of two models never meet, whatever
 * the settings say at a later start. A collection that is moved has the former one until all vectors of the next are there.
 */
export class CollectionModels {
  readonly #parts: ModelsParts;
  #known = new RecentMap<string>({ entriesMax: rememberedMax });
  /** Collections that the record is about to be asked for. */
  #asking: { ids: Set<number>; models: Promise<Map<number, string>> } | null = null;
  /** Of the collections that were moved, how often. */
  readonly #moves = new Map<number, number>();

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  /** Of a new collection with so many dimensions: the service's where it gives them, else what is built in. */
  modelFor(dimension: number): string {
    const { service } = this.#parts;
    if (service?.fits(dimension)) return service.id;
    return dimension < builtInDimension ? rotatedModel : builtInModel;
  }

  /** What a collection is to have in the end. */
  targetOf({ model, dimension }: { model: string; dimension: number }): string {
    return this.#parts.isMoving ? this.modelFor(dimension) : model;
  }

  /** From now on its vectors are of this model; null: the record has to be asked. */
  moved(collectionId: number, model: string | null): void {
    this.learnMoved(collectionId, model);
    this.#parts.onMoved?.(collectionId);
  }

  /** The same, by another server. */
  learnMoved(collectionId: number, model: string | null = null): void {
    if (model === null) this.#known.delete(String(collectionId));
    else this.#known.set(String(collectionId), model);
    this.#moves.set(collectionId, (this.#moves.get(collectionId) ?? 0) + 1);
  }

  /** Another server may have moved any of them. */
  doubt(): void {
    this.#known = new RecentMap<string>({ entriesMax: rememberedMax });
  }

  /** What is asked of collections, and asked again where one was moved meanwhile: query and documents may have been of different models. */
  async steady<Result>(collectionIds: number[], ask: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const before = this.#movesOf(collectionIds);
      const result = await ask();
      if (this.#movesOf(collectionIds) === before) return result;
    }
  }

  #movesOf(collectionIds: number[]): number {
    if (this.#moves.size === 0) return 0;
    return collectionIds.reduce((sum, id) => sum + (this.#moves.get(id) ?? 0), 0);
  }

  async forDocuments(collectionId: number): Promise<DocumentModel> {
    const model = await this.#modelOf(collectionId);
    return this.builtIn(model) ?? { id: model, recorded: model, embedder: null };
  }

  /** What is built in, by its name in the record; null: it is none of these. */
  builtIn(model: string): (DocumentModel & { embedder: Pick<Embedder, 'embedDocuments'> }) | null {
    const { embedder } = this.#parts;
    if (model === builtInModel) return { id: embedder.id, recorded: model, embedder };
    if (model !== rotatedModel) return null;
    const embedDocuments: Embedder['embedDocuments'] = (task, signal) =>
      embedder.embedDocuments({ ...task, isRotated: true }, signal);
    return { id: rotatedModelId, recorded: model, embedder: { embedDocuments } };
  }

  /** By what its queries are embedded. @throws AppError UNAVAILABLE (the record) */
  async tierOf(collectionId: number): Promise<Tier> {
    const model = await this.#modelOf(collectionId);
    if (isBuiltInModel(model)) {
      const tier = this.#parts.builtInTierOf(collectionId);
      return model === rotatedModel ? `${tier}-rotated` : tier;
    }
    return model === this.#parts.service?.id ? 'service' : 'absent';
  }

  async #modelOf(collectionId: number): Promise<string> {
    const known = this.#known.peek(String(collectionId));
    if (known !== undefined) return known;
    const moves = this.#moves.get(collectionId);
    const model = (await this.#asked(collectionId)).get(collectionId) ?? builtInModel;
    // An answer from before a move is not remembered.
    if (this.#moves.get(collectionId) === moves) this.#known.set(String(collectionId), model);
    return model;
  }

  /** What the record says of this collection, and of all others that are asked for at the same moment: many that are searched at once are one statement. */
  #asked(collectionId: number): Promise<Map<number, string>> {
    this.#asking ??= { ids: new Set(), models: Promise.resolve().then(() => this.#askAll()) };
    this.#asking.ids.add(collectionId);
    return this.#asking.models;
  }

  async #askAll(): Promise<Map<number, string>> {
    const ids = [...(this.#asking?.ids ?? [])];
    this.#asking = null;
    try {
      const { sql } = this.#parts.record;
      const rows = await sql`select id, model from collections where id = any(${makePgArray(ids)}::bigint[])`;
      return new Map(rows.map(({ id, model }) => [Number(id), String(model)]));
    } catch (error) {
      throw toCallerError(error);
    }
  }
}
