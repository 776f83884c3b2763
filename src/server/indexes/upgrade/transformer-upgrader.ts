import type { Embedder } from '#server/embeddings/embedder.ts';
import { LateError } from '#server/embeddings/late-error.ts';
import { rotatedModelId } from '#server/embeddings/static-embedder.ts';
import { transformerModelId } from '#server/embeddings/transformer/transformer.ts';
import type { WritableCollection } from '../indexes.ts';
import type { CollectionModels } from '../models/collection-models.ts';
import { contentHash } from '../passages/content-hash.ts';
import type { Embeddable } from '../passages/embeddable.ts';
import { knownPassages } from '../passages/known-passages.ts';
import { readToUpgrade, type ToUpgrade } from '../registry/rows.ts';
import { unlessAborted } from '../registry/unless-aborted.ts';
import type { UpgradedRow } from '../write/statements.ts';
import { builtInModels, collectionsToUpgrade, upgradedCollections } from './collections-to-upgrade.ts';
import type { MakesWay } from './making-way.ts';
import type { Upgrader, UpgraderParts } from './upgrader.ts';
import { embeddableIn, writeUpgraded } from './write-upgraded.ts';

/** Documents of one version: a second or two of the transformer's thread, unless one alone has more passages. */
const rowsMax = 16;
const passagesMax = 16;
const bytesMax = 512 * 1024;

interface Parts extends UpgraderParts {
  embedder: Pick<Embedder, 'id' | 'upgradeDocument' | 'rest' | 'transformerState'>;
  models: Pick<CollectionModels, 'targetOf'>;
  makesWay: MakesWay | null;
}

/** Documents that are found by the table's vectors are given the transformer's, one after the other. */
export function createTransformerUpgrader(parts: Parts): Upgrader {
  const { record, embedder, models } = parts;
  const late = new Set<string>();
  return {
    upgraded: () => upgradedCollections(record),
    async toUpgrade(ids) {
      const found = await collectionsToUpgrade(record, { ids, has: { of: 'table', models: builtInModels } });
      // What is moved elsewhere would be embedded twice.
      return found.filter((collection) => models.targetOf(collection) === collection.model);
    },
    async upgradeSome(collection, signal) {
      const { bulkSql } = record.as(collection.for.tenant);
      const found = await readToUpgrade(bulkSql, collection.id, { rowsMax, bytesMax, of: 'table' });
      const rows = await upgradedRows({ ...parts, late }, collection, { found, signal });
      return rows.length === 0 ? 0 : await writeUpgraded(parts, collection, rows);
    },
    rest: () => embedder.rest(),
    hasFailed: () => embedder.transformerState() === 'failed',
  };
}

type UpgradingParts = Parts & { late: Set<string> };

/** Of the first documents that have so many passages together, and of one at least. When the server stops: of those that are finished. */
async function upgradedRows(
  parts: UpgradingParts,
  collection: WritableCollection,
  { found, signal }: { found: ToUpgrade[]; signal: AbortSignal },
): Promise<UpgradedRow[]> {
  const rows: UpgradedRow[] = [];
  let passages = 0;
  for (const document of found) {
    if (signal.aborted) break;
    const text = await embeddableIn(collection, document.source);
    passages += text?.passages.length ?? 0;
    if (rows.length > 0 && passages > passagesMax) break;
    try {
      rows.push(await upgraded(parts, collection, { document, text, signal }));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return rows;
}

async function upgraded(
  parts: UpgradingParts,
  collection: WritableCollection,
  { document, text, signal }: { document: ToUpgrade; text: Embeddable | null; signal: AbortSignal },
): Promise<UpgradedRow> {
  const { dimension } = collection;
  const { id, version, source, vectors, spans } = document;
  const key = `${collection.id} ${version} ${id}`;
  // The collection may have been moved since it was looked for: the document's own vectors say whether these are rotated.
  const isRotated = document.modelId === rotatedModelId;
  const made = text && (await vectorsOf(parts, { text, dimension, isRotated, key }, signal));
  const better = made && {
    vectors: filledUp(made, vectors, dimension),
    spans: text.spans,
  };
  return {
    id,
    version,
    source,
    modelId: transformerModelId,
    contentHash: contentHash(isRotated ? rotatedModelId : parts.embedder.id, dimension, text),
    ...((better && knownPassages(better, dimension)) ?? { vectors, spans }),
  };
}

/**
 * One a passage. A passage that is under way when the server stops is not waited for.
 * @throws LateError the first time; whatever takes too long twice is passed over, or nothing would come after it. The signal's reason
 */
async function vectorsOf(
  { embedder, late, makesWay }: UpgradingParts,
  {
    text,
    dimension,
    isRotated,
    key,
  }: { text: Embeddable; dimension: number; isRotated: boolean; key: string },
  signal: AbortSignal,
): Promise<Float32Array | null> {
  try {
    const vectors = new Float32Array(text.passages.length * dimension);
    for (const [i, passage] of text.passages.entries()) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const vector = await unlessAborted(embedder.upgradeDocument(passage, dimension, isRotated), signal);
      vectors.set(vector, i * dimension);
      await makesWay?.(performance.now() - startedAt, signal);
    }
    late.delete(key);
    return vectors;
  } catch (error) {
    if (!(error instanceof LateError)) throw error;
    if (late.delete(key)) return null;
    late.add(key);
    throw error;
  }
}

/** The transformer reads less of a text: of a passage of which it knows nothing, what the table made stands. */
function filledUp(made: Float32Array, before: Float32Array, dimension: number): Float32Array {
  if (before.length !== made.length) return made;
  for (let from = 0; from < made.length; from += dimension) {
    const row = made.subarray(from, from + dimension);
    if (row.every((x) => x === 0)) row.set(before.subarray(from, from + dimension));
  }
  return made;
}
