import { type Embedder, isByTransformer, isRotated, type Tier } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { LateError } from '#server/embeddings/late-error.ts';
import { rotatedModelId } from '#server/embeddings/static-embedder.ts';
import { transformerModelId } from '#server/embeddings/transformer/transformer.ts';
import { AppError } from '#server/errors.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import { builtInDimension } from '../../built-in-index.ts';
import type { QueryEmbedder } from '../../models/query-embedder.ts';

/** A model that a collection could have: what makes vectors of its documents, and of its queries. */
export interface ProposedModel {
  /** `static`, `transformer`, or the id of a service's or a directory's. */
  name: string;
  documents: Pick<Embedder, 'id' | 'embedDocuments'>;
  tier: Tier;
}

interface Parts {
  embedder: Pick<Embedder, 'id' | 'embedDocuments' | 'upgradeDocument' | 'transformerState'>;
  service: Pick<EmbeddingService, 'id' | 'fits' | 'embedDocuments'> | null;
}

/** Those that this server has for so many dimensions, as new collections would have them. */
export function proposedModels({ embedder, service }: Parts, dimension: number): ProposedModel[] {
  const rotated = dimension < builtInDimension;
  const byTable: Embedder['embedDocuments'] = (task, signal) =>
    embedder.embedDocuments({ ...task, isRotated: rotated }, signal);
  const models: ProposedModel[] = [
    {
      name: 'static',
      documents: { id: rotated ? rotatedModelId : embedder.id, embedDocuments: byTable },
      tier: rotated ? 'static-rotated' : 'static',
    },
  ];
  if (embedder.transformerState() !== 'off')
    models.push({
      name: 'transformer',
      documents: {
        id: transformerModelId,
        embedDocuments: (task, signal) => byTransformer({ embedder, byTable, rotated }, task, signal),
      },
      tier: rotated ? 'transformer-rotated' : 'transformer',
    });
  if (service?.fits(dimension))
    models.push({
      name: service.id,
      documents: { id: service.id, embedDocuments: service.embedDocuments.bind(service) },
      tier: 'service',
    });
  return models;
}

/** What a collection has, in the same words. */
export function liveModelName(model: string, tier: Tier): string {
  if (!isBuiltInModel(model)) return model;
  return isByTransformer(tier) ? 'transformer' : 'static';
}

/** One passage after the other. Of one that the transformer knows nothing of, what the table makes stands, as where documents are upgraded. */
async function byTransformer(
  {
    embedder,
    byTable,
    rotated,
  }: Pick<Parts, 'embedder'> & { byTable: Embedder['embedDocuments']; rotated: boolean },
  task: Parameters<Embedder['embedDocuments']>[0],
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const { texts, dimension } = task;
  const vectors = await byTable(task, signal);
  for (const [place, text] of texts.entries()) {
    signal?.throwIfAborted();
    const vector = await embedder.upgradeDocument(text, dimension, rotated).catch(unlessLate);
    if (vector.some((component) => component !== 0)) vectors.set(vector, place * dimension);
  }
  return vectors;
}

function unlessLate(error: unknown): never {
  if (!(error instanceof LateError)) throw error;
  throw new AppError('UNAVAILABLE', 'The transformer is late', { cause: error, retryAfterSeconds: 30 });
}

/** Queries as their tier says and by nothing else: a search takes the table's where the transformer is late, and a comparison would not know. */
export function steadyQueries(queries: QueryEmbedder, embedder: Parts['embedder']): QueryEmbedder {
  const embedQuery: QueryEmbedder['embedQuery'] = (text, dimension, tier = 'static') =>
    isByTransformer(tier)
      ? embedder.upgradeDocument({ title: '', text }, dimension, isRotated(tier)).catch(unlessLate)
      : queries.embedQuery(text, dimension, tier);
  return {
    embedQuery,
    readQuery: async (text) => ({ toVector: (dimension, tier) => embedQuery(text, dimension, tier) }),
    knowsWord: (word) => queries.knowsWord(word),
  };
}
