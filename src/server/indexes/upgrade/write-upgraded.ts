import type { Requester } from '#server/admission/requester.ts';
import { parseJson } from '#server/engine/search-index.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { type Embeddable, embeddableOf } from '../passages/embeddable.ts';
import { encodeUpgradedRows, type UpgradedRow, upgradeDocuments } from '../write/statements.ts';
import { stepsInTurns } from '../write/steps-in-turns.ts';
import type { UpgraderParts } from './upgrader.ts';

/** What of a stored document is embedded; null: nothing. */
export async function embeddableIn(
  collection: WritableCollection & { for: Requester },
  source: string,
): Promise<Embeddable | null> {
  const document = (await stepsInTurns(collection.for, parseJson(source))) as StoredDocument;
  return await stepsInTurns(collection.for, embeddableOf(collection, document));
}

/** Documents with their new vectors, as one version: those that are as they were read. */
export async function writeUpgraded(
  { registry, record }: UpgraderParts,
  collection: WritableCollection,
  rows: UpgradedRow[],
): Promise<number> {
  const { bulkSql } = record.as(collection.for.tenant);
  const encoded = await stepsInTurns(collection.for, encodeUpgradedRows(rows));
  return await registry.change(collection, { isOnlyIfOpen: true }, async () => {
    const written = await upgradeDocuments(bulkSql, collection.id, encoded);
    const puts = rows
      .filter(({ id }) => written.upgraded.has(id))
      .map(({ id, source, vectors, spans }) => ({ id, source, vectors, spans }));
    return { answer: rows.length, batches: [{ version: written.version, puts, deletes: [] }] };
  });
}
