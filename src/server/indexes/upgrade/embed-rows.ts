import type { Embedder } from '#server/embeddings/embedder.ts';
import { TextsRefusedError } from '#server/embeddings/texts-refused-error.ts';
import type { Log } from '#server/log.ts';
import { calledOf } from '#shared/embedding.ts';
import type { WritableCollection } from '../indexes.ts';
import { contentHash } from '../passages/content-hash.ts';
import type { Embeddable } from '../passages/embeddable.ts';
import { knownPassages } from '../passages/known-passages.ts';
import type { ToUpgrade } from '../registry/rows.ts';
import type { UpgradedRow } from '../write/statements.ts';
import { pendingModel, refusedModel, withoutVector } from '../write/without-vector.ts';
import { embeddableIn } from './write-upgraded.ts';

/** Documents that a line of the log names. */
const toldMax = 5;

interface Parts {
  /** `later`: the documents get no vector now, and wait for it. */
  model: Pick<Embedder, 'id' | 'embedDocuments'> | { id: string; embedDocuments: 'later' };
  log: Log;
}

/** Stored documents with vectors of a model; a text that it refuses has none, and the log says why. @throws what the model throws, the signal's reason */
export async function embedRows(
  { model, log }: Parts,
  collection: WritableCollection,
  { found, signal }: { found: ToUpgrade[]; signal: AbortSignal },
): Promise<UpgradedRow[]> {
  const { id: collectionId, dimension, for: requester } = collection;
  const texts: (Embeddable | null)[] = [];
  for (const { source } of found) texts.push(await embeddableIn(collection, source));
  const isLater = model.embedDocuments === 'later';
  const task = { texts: texts.flatMap((text) => text?.passages ?? []), dimension, for: requester };
  const { vectors, faults } =
    model.embedDocuments === 'later' ? nothing : await embedded(model.embedDocuments(task, signal));
  signal.throwIfAborted();
  const refused: { document: string; reason: string }[] = [];
  let place = 0;
  const rows = found.map(({ id, version, source }, i): UpgradedRow => {
    const text = texts[i] ?? null;
    const base = { id, version, source, contentHash: contentHash(model.id, dimension, text) };
    if (text === null) return { ...base, ...withoutVector(null) };
    if (isLater) return { ...base, ...withoutVector(pendingModel) };
    const from = place;
    place += text.passages.length;
    const [reason] = text.passages.flatMap((_, at) => faults.get(from + at) ?? []);
    if (reason !== undefined) {
      refused.push({ document: id, reason });
      return { ...base, ...withoutVector(refusedModel) };
    }
    const own = vectors.slice(from * dimension, place * dimension);
    const known = knownPassages({ vectors: own, spans: text.spans }, dimension);
    return { ...base, ...(known ? { modelId: model.id, ...known } : withoutVector(null)) };
  });
  if (refused.length > 0)
    log.warn(`${calledOf(model.id).toLowerCase()} gives some documents no vector`, {
      collectionId,
      refused: refused.length,
      told: refused.slice(0, toldMax),
    });
  return rows;
}

interface Embedded {
  vectors: Float32Array;
  /** By the place among all passages. */
  faults: ReadonlyMap<number, string>;
}

const nothing: Embedded = { vectors: new Float32Array(0), faults: new Map() };

async function embedded(embedding: Promise<Float32Array>): Promise<Embedded> {
  try {
    return { vectors: await embedding, faults: new Map() };
  } catch (error) {
    if (error instanceof TextsRefusedError) return error;
    throw error;
  }
}
