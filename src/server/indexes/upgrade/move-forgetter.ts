import type { CollectionModels } from '../models/collection-models.ts';
import { collectionsToUpgrade, type ModelledCollection } from './collections-to-upgrade.ts';
import { collectionsBeingMoved, forgetOthers } from './move-statements.ts';
import type { Upgrader, UpgraderParts } from './upgrader.ts';

interface Parts extends Pick<UpgraderParts, 'record'> {
  models: Pick<CollectionModels, 'targetOf'>;
}

/**
 * What is left of moves that were given up, since the settings name another model now or none: vectors that nothing will ever read. Settings change
 * with a start alone, so that they are looked for after it, and removed page by page.
 */
export function createMoveForgetter({ record, models }: Parts): Upgrader {
  /** With the last document that was looked at. */
  const left = new Map<number, { collection: ModelledCollection; after: string }>();
  return {
    upgraded: async () => [],
    async toUpgrade(ids) {
      const moved = await collectionsBeingMoved(record.sql);
      const asked = ids === null ? moved : moved.filter((id) => ids.includes(id));
      if (asked.length === 0) return [];
      const found = await collectionsToUpgrade(record, { ids: asked });
      for (const collection of found) left.set(collection.id, { collection, after: '' });
      return found;
    },
    async upgradeSome({ id, for: requester }) {
      const known = left.get(id);
      if (!known) return 0;
      const move = { collectionId: id, model: models.targetOf(known.collection) };
      // It frees room; only the lock has to hold.
      await record.assertWritable({ mayUseReserve: true });
      const { count, last } = await forgetOthers(record.as(requester.tenant).bulkSql, move, known.after);
      known.after = last ?? '';
      if (count === 0) left.delete(id);
      return count;
    },
    rest: async () => undefined,
    hasFailed: () => false,
  };
}
