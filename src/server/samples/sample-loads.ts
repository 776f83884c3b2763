import { randomUUID } from 'node:crypto';
import { AppError } from '#server/errors.ts';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';
import type { SampleName } from '#shared/sample-sets.ts';
import { sampleKey } from '#shared/samples.ts';
import { readSample } from './read-sample.ts';

/** Imports the samples that come with the product. Each goes on until it is done or cancelled, whether or not its caller waits for it. */
export interface SampleLoads {
  /**
   * Answers the id of the import once that has ended, however it did; a second caller for a collection waits for the first one's.
   * @throws AppError TOO_MANY_REQUESTS when its tenant has too many under way, and as `imports.open`
   */
  load(collection: WritableCollection, load: SampleLoad): Promise<number>;
  /** Ends those that are under way. */
  stop(): Promise<void>;
}

interface SampleLoad {
  sample: SampleName;
  /** Asked before each batch. */
  assertAllowed: () => Promise<void>;
}

/** Who loads it, and that they did, was written down before. */
const noted = async () => undefined;

/** As many as there are samples. */
const perTenantMax = 3;

export function createSampleLoads(parts: {
  indexes: Pick<Indexes, 'imports' | 'import'>;
  log: Log;
  samplesDir: string;
}): SampleLoads {
  const { indexes, log, samplesDir } = parts;
  const stopping = new AbortController();
  const underWay = new Map<number, { tenant: string; ended: Promise<number> }>();

  async function run(collection: WritableCollection, { sample, assertAllowed }: SampleLoad) {
    const { signal } = stopping;
    const opening = { key: sampleKey(sample, randomUUID()), action: 'upsert', reading: {}, signal } as const;
    const opened = await indexes.imports.open(collection, opening, noted);
    const rows = readSample(samplesDir, sample);
    try {
      const upload = { action: 'upsert', rows, assertAllowed, opened } as const;
      // Results are counted by the import itself.
      for await (const _ of indexes.import(collection, upload, signal));
    } catch (error) {
      // The import's record says how it ended.
      log.info('a sample was not loaded to its end', { collectionId: collection.id, sample, error });
    }
    return opened.id;
  }

  return {
    load(collection, given) {
      const running = underWay.get(collection.id);
      if (running) return running.ended;
      const { tenant } = collection.for;
      const ofTenant = [...underWay.values()].filter((one) => one.tenant === tenant).length;
      if (ofTenant >= perTenantMax) {
        const message = `${perTenantMax} samples are being loaded already; try again when one is done`;
        throw new AppError('TOO_MANY_REQUESTS', message, { retryAfterSeconds: 5 });
      }
      const ended = run(collection, given).finally(() => underWay.delete(collection.id));
      underWay.set(collection.id, { tenant, ended });
      return ended;
    },
    async stop() {
      stopping.abort(new AppError('UNAVAILABLE', 'The server is stopping'));
      await Promise.allSettled([...underWay.values()].map(({ ended }) => ended));
    },
  };
}
