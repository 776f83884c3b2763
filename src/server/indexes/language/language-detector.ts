import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { detectedLanguages, searchSettings } from '#server/db/schema/rules.ts';
import type { Steps } from '#server/engine/steps.ts';
import { defaultLanguage } from '#shared/search-settings.ts';
import type { WritableCollection } from '../indexes.ts';
import type { CollectionIndexes } from '../registry/collection-indexes.ts';
import { collectionsToUpgrade } from '../upgrade/collections-to-upgrade.ts';
import type { Upgrader } from '../upgrade/upgrader.ts';
import { stepsInTurns } from '../write/steps-in-turns.ts';
import { LanguageCount } from './language-count.ts';
import { beginningOf, readSample } from './sample-texts.ts';

/** Fewer are somebody's first tries. */
const documentsMin = 5;
/** Looked at with so many, a collection is not looked at again: what was found stays. */
const documentsSettled = 1_000;

/** Twice as many as when it was last looked at: so a collection is looked at nine times at most. */
const due = sql`${collections.documentCount} >= ${documentsMin} and not exists (
  select 1 from ${detectedLanguages} where ${detectedLanguages.collectionId} = ${collections.id}
    and (${detectedLanguages.heldDocuments} >= ${documentsSettled}
      or ${detectedLanguages.heldDocuments} * 2 > ${collections.documentCount}))`;

interface Parts {
  record: Pick<RecordStore, 'as' | 'db'>;
  registry: Pick<CollectionIndexes, 'doubt'>;
  /** What is known of a collection's language is another. */
  onDetected: (collectionId: number) => void;
}

/**
 * Finds out which language a collection's texts are in, soon after its first documents came, and again as they become more, until there are a
 * thousand. What it finds acts where the settings say no language; the index is then made anew, as when they do. What is unsure changes nothing.
 */
export function createLanguageDetector({ record, registry, onDetected }: Parts): Upgrader {
  return {
    upgraded: async () => [],
    toUpgrade: (ids) => collectionsToUpgrade(record, { ids, where: due }),
    async upgradeSome(collection, signal) {
      const { id } = collection;
      const own = record.as(collection.for.tenant);
      const heldDocuments = await countOf(own.db, id);
      const sources = await readSample(own.bulkSql, id);
      const language = await stepsInTurns(collection.for, detect(collection, sources));
      signal.throwIfAborted();
      const found = { language, readDocuments: sources.length, heldDocuments };
      const { isDetected, isReadAnew } = await own.write((db) => keep(db, id, found));
      if (isReadAnew) registry.doubt(id);
      if (isDetected) onDetected(id);
      return 0;
    },
    rest: async () => undefined,
    hasFailed: () => false,
  };
}

async function countOf(db: ReadDatabase, id: number): Promise<number> {
  const [row] = await db
    .select({ count: collections.documentCount })
    .from(collections)
    .where(eq(collections.id, id));
  return row?.count ?? 0;
}

function* detect(collection: WritableCollection, sources: string[]): Steps<string | null> {
  const count = new LanguageCount();
  for (const source of sources) {
    count.add(yield* beginningOf(collection, source));
    yield;
  }
  return count.language();
}

interface Found {
  language: string | null;
  readDocuments: number;
  heldDocuments: number;
}

/** Says of a collection whether something else is known of it, and whether its texts are to be read anew. A deleted one is left as it is. */
async function keep(db: Database, id: number, { language, ...found }: Found) {
  const living = and(eq(collections.id, id), isNull(collections.deletedAt));
  // Owners who set a language take turns with this.
  const [locked] = await db.select({ id: collections.id }).from(collections).where(living).for('update');
  if (!locked) return { isDetected: false, isReadAnew: false };
  const ofCollection = eq(detectedLanguages.collectionId, id);
  const [known] = await db.select().from(detectedLanguages).where(ofCollection);
  const before = known?.language ?? null;
  const isDetected = language !== null && language !== before;
  const acts = (known?.acts ?? true) && !(await isSet(db, id));
  const isReadAnew = isDetected && acts && language !== (before ?? defaultLanguage);
  const changes = (known?.changes ?? 0) + (isReadAnew ? 1 : 0);
  const own = language === null ? { heldDocuments: found.heldDocuments } : { ...found, language, changes };
  await db
    .insert(detectedLanguages)
    .values({ collectionId: id, ...own })
    .onConflictDoUpdate({ target: detectedLanguages.collectionId, set: own });
  if (isReadAnew)
    await db
      .update(collections)
      .set({ rulesVersion: sql`${collections.rulesVersion} + 1` })
      .where(living);
  return { isDetected, isReadAnew };
}

/** Whether the collection's owner has said which language it is in. */
async function isSet(db: Database, id: number): Promise<boolean> {
  const [row] = await db
    .select({ settings: searchSettings.settings })
    .from(searchSettings)
    .where(eq(searchSettings.collectionId, id));
  return Boolean(row?.settings.language);
}
