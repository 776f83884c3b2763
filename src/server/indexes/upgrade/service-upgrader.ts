import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import { TextsRefusedError } from '#server/embeddings/texts-refused-error.ts';
import type { Log } from '#server/log.ts';
import type { WritableCollection } from '../indexes.ts';
import { readToUpgrade, type ToUpgrade } from '../registry/rows.ts';
import { wholeText } from '../write/batch.ts';
import { contentHash } from '../write/embedding-text.ts';
import { refusedModel, withoutVector } from '../write/without-vector.ts';
import { collectionsToUpgrade } from './collections-to-upgrade.ts';
import type { Upgrader, UpgraderParts } from './upgrader.ts';
import { textOf, writeUpgraded } from './write-upgraded.ts';

/** Documents of one version: as many as the service is asked for at once. */
const rowsMax = 128;
const bytesMax = 2 * 1024 * 1024;
/** Documents that a line of the log names. */
const toldMax = 5;

interface Parts extends UpgraderParts {
  service: Pick<EmbeddingService, 'id' | 'embedDocuments'>;
  log: Log;
}

interface Embedded {
  vectors: Float32Array;
  faults: ReadonlyMap<number, string>;
}

/**
 * Documents that are found by their words alone are given the service's vectors, batch by batch. One that it refuses is left out, and is asked for
 * again when its text changes and after the next start, which may be one with other settings.
 */
export function createServiceUpgrader(parts: Parts): Upgrader {
  const { record, service } = parts;
  let isFirst = true;
  return {
    upgraded: async () => [],
    async toUpgrade(ids) {
      if (isFirst) await record.sql.unsafe(askAgain, [service.id]);
      isFirst = false;
      return await collectionsToUpgrade(record, { ids, of: 'pending', model: service.id });
    },
    async upgradeSome(collection, signal) {
      const { bulkSql } = record.as(collection.for.tenant);
      const found = await readToUpgrade(bulkSql, collection.id, { rowsMax, bytesMax, of: 'pending' });
      if (found.length === 0) return 0;
      const texts: (EmbeddingText | null)[] = [];
      for (const { source } of found) texts.push(await textOf(collection, source));
      const embedded = await embed(parts, collection, { texts, signal });
      signal.throwIfAborted();
      tell(parts, collection, { found, texts, embedded });
      return await writeUpgraded(
        parts,
        collection,
        rowsOf(service.id, collection, { found, texts, embedded }),
      );
    },
    rest: async () => undefined,
    hasFailed: () => false,
  };
}

const askAgain = `update documents set model_id = 'pending' from collections
  where documents.model_id = '${refusedModel}' and collections.id = documents.collection_id and collections.model = $1`;

/** By the place among the texts that there are. */
async function embed(
  { service }: Parts,
  { dimension, for: requester }: WritableCollection,
  { texts, signal }: { texts: (EmbeddingText | null)[]; signal: AbortSignal },
): Promise<Embedded> {
  const task = { texts: texts.filter((text) => text !== null), dimension, for: requester };
  try {
    return { vectors: await service.embedDocuments(task, signal), faults: new Map() };
  } catch (error) {
    if (error instanceof TextsRefusedError) return error;
    throw error;
  }
}

interface Batch {
  found: ToUpgrade[];
  texts: (EmbeddingText | null)[];
  embedded: Embedded;
}

function rowsOf(modelId: string, { dimension }: WritableCollection, { found, texts, embedded }: Batch) {
  let place = 0;
  return found.map(({ id, version, source }, i) => {
    const text = texts[i] ?? null;
    const base = { id, version, source, contentHash: contentHash(modelId, dimension, text) };
    if (text === null) return { ...base, ...withoutVector(null) };
    const at = place;
    place += 1;
    if (embedded.faults.has(at)) return { ...base, ...withoutVector(refusedModel) };
    const vectors = embedded.vectors.slice(at * dimension, (at + 1) * dimension);
    // A zero row means that the model knows nothing of the text.
    if (!vectors.some((x) => x !== 0)) return { ...base, ...withoutVector(null) };
    return { ...base, modelId, vectors, spans: wholeText(text.text.length) };
  });
}

function tell(
  { log }: Parts,
  { id: collectionId }: WritableCollection,
  { found, texts, embedded }: Batch,
): void {
  const { faults } = embedded;
  if (faults.size === 0) return;
  const asked = found.filter((_, i) => texts[i] !== null);
  const told = [...faults].slice(0, toldMax).map(([at, reason]) => ({ document: asked[at]?.id, reason }));
  log.warn('the embedding service gives some documents no vector', {
    collectionId,
    refused: faults.size,
    told,
  });
}
