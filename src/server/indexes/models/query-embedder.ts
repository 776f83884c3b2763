import { type Embedder, isBuiltIn, type ReadQuery, type Tier } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { AppError } from '#server/errors.ts';

export type QueryEmbedder = Pick<Embedder, 'embedQuery' | 'readQuery' | 'knowsWord'>;

const retryAfterSeconds = 60;

/** Queries by what is built in, or by the service, as their collections' vectors are. */
export function createQueryEmbedder(
  builtIn: QueryEmbedder,
  service: Pick<EmbeddingService, 'embedQuery'> | null,
): QueryEmbedder {
  const byService = async (text: string, dimension: number, tier: Tier): Promise<Float32Array> => {
    if (tier === 'service' && service) return await service.embedQuery(text, dimension);
    throw new AppError('UNAVAILABLE', 'The model that made the vectors of this collection is not set up', {
      retryAfterSeconds,
    });
  };
  return {
    knowsWord: (word) => builtIn.knowsWord(word),
    embedQuery: (text, dimension, tier = 'static') =>
      isBuiltIn(tier) ? builtIn.embedQuery(text, dimension, tier) : byService(text, dimension, tier),
    async readQuery(text) {
      let read: Promise<ReadQuery> | null = null;
      return {
        async toVector(dimension, tier = 'static') {
          if (!isBuiltIn(tier)) return await byService(text, dimension, tier);
          read ??= builtIn.readQuery(text);
          return await (await read).toVector(dimension, tier);
        },
      };
    },
  };
}
