import path from 'node:path';
import type { Log } from '#server/log.ts';
import { DocumentEmbedder } from './document-embedder.ts';
import type { Embedder } from './embedder.ts';
import { StaticEmbedder, staticModelId } from './static-embedder.ts';
import { loadStaticTable } from './static-table.ts';

interface EmbedderOptions {
  modelsDir: string;
  log: Log;
  /** How long a write waits for a turn; absent: five seconds. */
  waitMsMax?: number;
}

/** The built-in embedder: queries on this thread, documents in their own, both on one shared table. */
export async function createEmbedder({ modelsDir, log, ...limits }: EmbedderOptions): Promise<Embedder> {
  const table = await loadStaticTable(path.join(modelsDir, 'static-embeddings'));
  const queries = new StaticEmbedder(table);
  const documents = new DocumentEmbedder(table, log, limits);
  return {
    id: staticModelId,
    embedDocuments: (task, signal) => documents.embed(task, signal),
    embedQuery: async (text, dimension) => queries.embedQuery(text, dimension),
    readQuery: async (text) => queries.readQuery(text),
    waiting: () => documents.waiting,
    stop: () => documents.stop(),
  };
}
