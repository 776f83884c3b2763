import type { RecordStore } from '#server/db/client.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { parseJson } from '#server/engine/search-index.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import type { IndexRegistry } from '../registry/index-registry.ts';
import { readToUpgrade, type ToUpgrade } from '../registry/rows.ts';
import { wholeText } from '../write/batch.ts';
import { contentHash, embeddingText } from '../write/embedding-text.ts';
import { upgradeDocuments } from '../write/statements.ts';
import { stepsInTurns } from '../write/steps-in-turns.ts';

/** Documents of one version: a second or two of the transformer's thread, so that little is done again after a restart. */
const rowsMax = 16;
const bytesMax = 512 * 1024;

export interface UpgradeParts {
  registry: Pick<IndexRegistry, 'change'>;
  embedder: Pick<Embedder, 'id' | 'upgradeDocument'>;
  record: Pick<RecordStore, 'as'>;
  isStopped: () => boolean;
}

/**
 * Gives some documents of a collection the transformer's vectors: read, embedded one at a time outside of the collection's turn, and written in it
 * unless they were changed meanwhile.
 * @returns how many; 0: there are none, or the server stops
 * @throws AppError
 */
export async function upgradeSome(parts: UpgradeParts, collection: WritableCollection): Promise<number> {
  const { registry, record, isStopped } = parts;
  const { bulkSql } = record.as(collection.for.tenant);
  const found = await readToUpgrade(bulkSql, collection.id, { rowsMax, bytesMax });
  const rows: Awaited<ReturnType<typeof upgraded>>[] = [];
  for (const document of found) {
    if (isStopped()) return 0;
    rows.push(await upgraded(parts, collection, document));
  }
  if (rows.length === 0) return 0;
  return registry.change(collection, { isOnlyIfOpen: true }, async () => {
    const written = await upgradeDocuments(bulkSql, collection.id, rows);
    const puts = rows
      .filter(({ id }) => written.upgraded.has(id))
      .map(({ id, source, vectors, spans }) => ({ id, source, vectors, spans }));
    return { answer: rows.length, batches: [{ version: written.version, puts, deletes: [] }] };
  });
}

async function upgraded(
  { embedder }: UpgradeParts,
  collection: WritableCollection,
  { id, version, source, vectors: before }: ToUpgrade,
) {
  const { dimension, for: requester } = collection;
  const document = (await stepsInTurns(requester, parseJson(source))) as StoredDocument;
  const text = await stepsInTurns(requester, embeddingText(collection, document));
  const vector = text && (await embedder.upgradeDocument(text, dimension));
  return {
    id,
    version,
    source,
    contentHash: contentHash(embedder.id, dimension, text),
    // The transformer reads less of a text: where it knows none of that, what the table made stands.
    vectors: vector?.some((x) => x !== 0) ? vector : before,
    spans: wholeText(text?.text.length ?? 0),
  };
}
