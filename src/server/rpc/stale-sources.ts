import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections, documents } from '#server/db/schema/collections.ts';
import { citedDocuments } from '#server/db/schema/conversations.ts';

/** Of answers, by message, which of the documents that they cite are not any more what they were: as `[n]` counts. */
export async function findStaleSources(
  db: ReadDatabase,
  messageIds: number[],
): Promise<Map<number, number[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db
    .select({ messageId: citedDocuments.messageId, source: citedDocuments.source })
    .from(citedDocuments)
    .leftJoin(
      documents,
      and(
        eq(documents.collectionId, citedDocuments.collectionId),
        eq(documents.id, citedDocuments.documentId),
        // Better vectors of the same text are no change.
        eq(sql`coalesce(${documents.writtenVersion}, ${documents.version})`, citedDocuments.version),
      ),
    )
    .leftJoin(collections, eq(collections.id, citedDocuments.collectionId))
    .where(
      and(
        isAnyOf(citedDocuments.messageId, messageIds),
        or(isNull(documents.id), isNull(collections.id), isNotNull(collections.deletedAt)),
      ),
    )
    .orderBy(citedDocuments.messageId, citedDocuments.source);
  const stale = new Map<number, number[]>();
  for (const { messageId, source } of rows) stale.set(messageId, [...(stale.get(messageId) ?? []), source]);
  return stale;
}
