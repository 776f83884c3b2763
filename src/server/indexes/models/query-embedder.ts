import { type Embedder, isBuiltIn, type ReadQuery, type Tier } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { AppError } from '#server/errors.ts';

export type QueryEmbedder = Pick<Embedder, 'embedQuery' | 'readQuery' | 'knowsWord'>;

/** What embeds for all accounts, and for one what is remembered for that one alone. Absent: it remembers nothing. */
export type SharedEmbedder<Part> = Part & { of?: (owner: string) => Part };

/** By which the queries of one account are embedded. */
export function embedderOf<Part>(shared: SharedEmbedder<Part>, owner: string): Part {
  return shared.of?.(owner) ?? shared;
}

const retryAfterSeconds = 60;
const nobody = '';

/** Queries by what is built in, or by the service, as their collections' vectors are. */
export function createQueryEmbedder(
  builtIn: QueryEmbedder,
  service: Pick<EmbeddingService, 'embedQuery'> | null,
): SharedEmbedder<QueryEmbedder> {
  const byService = async (text: string, { dimension, tier, owner }: Asked): Promise<Float32Array> => {
    if (tier === 'service' && service) return await service.embedQuery(text, dimension, owner);
    throw new AppError('UNAVAILABLE', 'The model that made the vectors of this collection is not set up', {
      retryAfterSeconds,
    });
  };
  const of = (owner: string): QueryEmbedder => ({
    knowsWord: (word) => builtIn.knowsWord(word),
    embedQuery: (text, dimension, tier = 'static') =>
      isBuiltIn(tier)
        ? builtIn.embedQuery(text, dimension, tier, owner)
        : byService(text, { dimension, tier, owner }),
    async readQuery(text) {
      let read: Promise<ReadQuery> | null = null;
      return {
        async toVector(dimension, tier = 'static') {
          if (!isBuiltIn(tier)) return await byService(text, { dimension, tier, owner });
          read ??= builtIn.readQuery(text, owner);
          return await (await read).toVector(dimension, tier);
        },
      };
    },
  });
  return { ...of(nobody), of };
}

interface Asked {
  dimension: number;
  tier: Tier;
  owner: string;
}
