import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import type { IndexesOptions } from '#server/indexes/indexes-options.ts';
import { createLog } from '#server/log.ts';
import { openService, startEmbeddingServer, well } from './embedding-server.ts';
import { openIndexesWorld } from './open-indexes.ts';

/** The model of the services that are opened here. */
export const serviceModel = 'openai:m';

/** Indexes over a record, whose vectors a service at a server of the test's own makes, and what is tried again is tried at once. */
export async function openServiceWorld() {
  const [world, server] = await Promise.all([openIndexesWorld('bundled'), startEmbeddingServer()]);
  const log = createLog('debug', (line) => world.logLines.push(line));
  const closers: (() => Promise<void>)[] = [];
  return {
    ...world,
    server,
    /** Null: without a service. Only one may be in use at a time. */
    open(given: Parameters<typeof openService>[1] | null = {}, options: Partial<IndexesOptions> = {}) {
      const service = given && openService(server, { log, ...given });
      if (service) closers.push(() => service.stop());
      const times = { upgradeDelayMs: 1, upgradeRetryMs: 1 };
      const indexes = world.openIndexes({ service, log, ...times, ...options });
      closers.push(() => indexes.stop());
      return indexes;
    },
    /** Before each test: the server does well, and was asked for nothing. */
    begin() {
      server.asked.length = 0;
      server.plan(well);
    },
    /** After each test: all that it has opened. */
    async end() {
      for (const close of closers.splice(0).reverse()) await close();
    },
    async close() {
      await world.close();
      await server.close();
    },
  };
}
export type ServiceWorld = Awaited<ReturnType<typeof openServiceWorld>>;

export const write = (indexes: Indexes, collection: WritableCollection, document: Record<string, unknown>) =>
  indexes.write(collection, { action: 'upsert', document });
