import type { Sql } from 'postgres';
import { sendNews } from '#server/db/changes.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import type { Log } from '#server/log.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import type { CollectionModels } from '../models/collection-models.ts';
import type { ToUpgrade } from '../registry/rows.ts';
import { encodeUpgradedRows, lockCollection } from '../write/statements.ts';
import { stepsInTurns } from '../write/steps-in-turns.ts';
import { collectionsToUpgrade, type ModelledCollection } from './collections-to-upgrade.ts';
import { embedRows } from './embed-rows.ts';
import { assertFewRefused, putNext, readToMove, swapVectors } from './move-statements.ts';
import type { Upgrader, UpgraderParts } from './upgrader.ts';

const rowsMax = 128;
const bytesMax = 2 * 1024 * 1024;

interface Parts extends UpgraderParts {
  models: Pick<CollectionModels, 'targetOf' | 'moved' | 'builtIn'>;
  service: Pick<EmbeddingService, 'id' | 'embedDocuments'> | null;
  log: Log;
}

/**
 * Collections that are of another model than new ones are given vectors of that, beside the live ones by which they are searched meanwhile; once all
 * are there they take their place at once. What is there already is in the record, so that a restart goes on where it was.
 */
export function createModelMover({ models, service, log, ...parts }: Parts): Upgrader {
  const { record, registry } = parts;
  /** Collections to move, with the last document that was read. */
  const moving = new Map<number, { collection: ModelledCollection; after: string }>();

  const modelOf = (target: string) => {
    const builtIn = models.builtIn(target);
    const made = builtIn?.embedder ?? service;
    if (made === null) throw new Error(`there is no model "${target}"`);
    return { id: builtIn?.id ?? target, embedDocuments: made.embedDocuments.bind(made) };
  };

  /** @returns false: too many were written meanwhile */
  const swap = async (
    collection: ModelledCollection,
    target: string,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { bulkSql } = record.as(collection.for.tenant);
    const move = { collectionId: collection.id, model: target };
    const model = modelOf(target);
    // A service is not waited for in a collection's turn.
    const now = isBuiltInModel(target) ? model : { id: model.id, embedDocuments: 'later' as const };
    /** Gives all that still lack vectors of the next model theirs. @returns false: they are many */
    const putLast = async (sql: Pick<Sql, 'unsafe'>): Promise<boolean> => {
      const found = await readLast(sql, move);
      if (found === null) return false;
      const rows = await embedRows({ model: now, log }, collection, { found, signal });
      await putNext(sql, move, await stepsInTurns(collection.for, encodeUpgradedRows(rows)));
      return true;
    };
    try {
      const isMoved = await registry.change(collection, { isOnlyIfOpen: true }, async () => {
        if (!(await putLast(bulkSql))) return { answer: false, batches: [] };
        const version = await bulkSql.begin(async (tx) => {
          await lockCollection(tx, collection.id);
          // What other servers have written meanwhile; from here on they wait.
          if (!(await putLast(tx))) return null;
          const swapped = await swapVectors(tx, move);
          await sendNews(tx, record.servers.own, { kind: 'moved', ids: [collection.id] });
          return swapped;
        });
        if (version === null) return { answer: false, batches: [] };
        models.moved(collection.id, target);
        return { answer: true, batches: [{ version, puts: [], deletes: [] }] };
      });
      // Who asked between the two had the former index.
      if (isMoved) models.moved(collection.id, target);
      return isMoved;
    } catch (error) {
      // It may have been committed all the same.
      models.moved(collection.id, null);
      throw error;
    }
  };

  return {
    upgraded: async () => [],
    async toUpgrade(ids) {
      const asked = ids?.filter((id) => moving.has(id)) ?? null;
      if (asked?.length === 0) return [];
      const found = await collectionsToUpgrade(record, { ids: asked });
      const others = found.filter((collection) => models.targetOf(collection) !== collection.model);
      const places = others.map((collection) => {
        return [collection.id, { collection, after: moving.get(collection.id)?.after ?? '' }] as const;
      });
      for (const id of asked ?? [...moving.keys()]) moving.delete(id);
      for (const [id, place] of places) moving.set(id, place);
      return others;
    },
    async upgradeSome({ id }, signal) {
      const known = moving.get(id);
      if (!known) return 0;
      const { collection, after } = known;
      const target = models.targetOf(collection);
      const { bulkSql } = record.as(collection.for.tenant);
      const move = { collectionId: id, model: target };
      const found = await readToMove(bulkSql, move, { after, rowsMax, bytesMax });
      if (found.length > 0) {
        const rows = await embedRows({ model: modelOf(target), log }, collection, { found, signal });
        // Nobody asked for these: the last room of the disk is not theirs.
        await record.assertWritable();
        await putNext(bulkSql, move, await stepsInTurns(collection.for, encodeUpgradedRows(rows)));
        known.after = found.at(-1)?.id ?? '';
        return found.length;
      }
      await assertFewRefused(bulkSql, move);
      // What was written behind it meanwhile is before it in the order of ids.
      const isOver = after === '' && (await swap(collection, target, signal));
      known.after = '';
      if (!isOver) return 1;
      moving.delete(id);
      log.info('a collection was moved to another model', { collectionId: id, model: target });
      return 0;
    },
    rest: async () => undefined,
    hasFailed: () => false,
  };
}

/** In the collection's turn: all that still lack vectors, of which everything has to be swapped. Null: they are many. */
async function readLast(
  sql: Parameters<typeof readToMove>[0],
  move: Parameters<typeof readToMove>[1],
): Promise<ToUpgrade[] | null> {
  const all: ToUpgrade[] = [];
  for (;;) {
    const page = await readToMove(sql, move, { after: all.at(-1)?.id ?? '', rowsMax, bytesMax });
    if (page.length === 0) return all;
    all.push(...page);
    if (all.length > rowsMax) return null;
  }
}
