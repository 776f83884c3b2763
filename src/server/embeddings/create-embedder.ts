import path from 'node:path';
import type { Log } from '#server/log.ts';
import { DocumentEmbedder } from './document-embedder.ts';
import { type Embedder, isByTransformer, isRotated, type Tier } from './embedder.ts';
import { StaticEmbedder, staticModelId } from './static-embedder.ts';
import { loadStaticTable } from './static-table.ts';
import { TransformerTier } from './transformer/transformer-tier.ts';

interface EmbedderOptions {
  modelsDir: string;
  log: Log;
  /** How long a write waits for a turn; absent: five seconds. */
  waitMsMax?: number;
  /** How long a query waits for the transformer; absent: a second. Then the table answers. */
  queryWaitMs?: number;
  /** Whether there is the table and nothing else. */
  isStaticOnly?: boolean;
}

/** The built-in embedder: queries on this thread, documents in their own, both on one shared table; the transformer in two further threads. */
export async function createEmbedder({
  modelsDir,
  log,
  isStaticOnly: isOff = false,
  queryWaitMs,
  ...limits
}: EmbedderOptions): Promise<Embedder> {
  const table = await loadStaticTable(path.join(modelsDir, 'static-embeddings'));
  const queries = new StaticEmbedder(table);
  const documents = new DocumentEmbedder(table, log, limits);
  const directory = path.join(modelsDir, 'minilm');
  const transformer = new TransformerTier({ directory, table, log, isOff, queryWaitMs });
  const embedBetter = async (
    text: string,
    dimension: number,
    { tier, owner }: { tier: Tier; owner: string },
  ) =>
    isByTransformer(tier)
      ? await transformer.embedQuery({ text, dimension, isRotated: isRotated(tier), owner })
      : null;
  return {
    id: staticModelId,
    embedDocuments: (task, signal) => documents.embed(task, signal),
    upgradeDocument: (text, dimension, rotated) => transformer.embedDocument(text, dimension, rotated),
    rest: () => transformer.rest(),
    transformerState: () => transformer.state,
    embedQuery: async (text, dimension, tier = 'static', owner = '') =>
      (await embedBetter(text, dimension, { tier, owner })) ??
      queries.embedQuery(text, dimension, isRotated(tier)),
    async readQuery(text, owner = '') {
      const read = queries.readQuery(text);
      return {
        toVector: async (dimension, tier = 'static') =>
          (await embedBetter(text, dimension, { tier, owner })) ?? read.toVector(dimension, isRotated(tier)),
      };
    },
    knowsWord: (word) => queries.knowsWord(word),
    waiting: () => documents.waiting,
    async stop() {
      await Promise.all([documents.stop(), transformer.stop()]);
    },
  };
}
