import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import type { Log } from '#server/log.ts';
import { readToUpgrade } from '../registry/rows.ts';
import { refusedModel } from '../write/without-vector.ts';
import { collectionsToUpgrade } from './collections-to-upgrade.ts';
import { embedRows } from './embed-rows.ts';
import type { Upgrader, UpgraderParts } from './upgrader.ts';
import { writeUpgraded } from './write-upgraded.ts';

/** Documents of one version: as many as the service is asked for at once. */
const rowsMax = 128;
const bytesMax = 2 * 1024 * 1024;

interface Parts extends UpgraderParts {
  service: Pick<EmbeddingService, 'id' | 'embedDocuments'>;
  log: Log;
}

/**
 * Documents that are found by their words alone are given the service's vectors, batch by batch. One that it refuses is left out, and is asked for
 * again when its text changes and after the next start, which may be one with other settings.
 */
export function createServiceUpgrader({ service, log, ...parts }: Parts): Upgrader {
  const { record } = parts;
  const model = { id: service.id, embedDocuments: service.embedDocuments.bind(service) };
  let isFirst = true;
  return {
    upgraded: async () => [],
    async toUpgrade(ids) {
      if (isFirst) {
        await record.assertWritable();
        await record.sql.unsafe(askAgain, [service.id]);
      }
      isFirst = false;
      return await collectionsToUpgrade(record, { ids, has: { of: 'pending', models: [service.id] } });
    },
    async upgradeSome(collection, signal) {
      const { bulkSql } = record.as(collection.for.tenant);
      const found = await readToUpgrade(bulkSql, collection.id, { rowsMax, bytesMax, of: 'pending' });
      if (found.length === 0) return 0;
      const rows = await embedRows({ model, log }, collection, { found, signal });
      return await writeUpgraded(parts, collection, rows);
    },
    rest: async () => undefined,
    hasFailed: () => false,
  };
}

const askAgain = `update documents set model_id = 'pending' from collections
  where documents.model_id = '${refusedModel}' and collections.id = documents.collection_id and collections.model = $1`;
