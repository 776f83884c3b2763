import { eq, gt, lte } from 'drizzle-orm';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { calibrations } from '#server/db/schema/calibrations.ts';
import { judgements } from '#server/db/schema/judgements.ts';
import { searchSettings } from '#server/db/schema/rules.ts';
import type { Calibrated } from '#server/indexes/relevance/calibration/calibrated.ts';
import type { Calibration, StaleReason } from '#shared/calibrations.ts';
import type { SearchSettings } from '#shared/search-settings.ts';
import { actingSettings } from './acting-settings.ts';
import { judgedIn } from './judgement-rows.ts';
import type { CollectionRow } from './scope.ts';

/** Calibrations of a collection that the caller may see. */

type Owner = Pick<CollectionRow, 'id' | 'model' | 'upgradedCount' | 'documentCount'>;
type Row = typeof calibrations.$inferSelect;

/** What scores, and so relevance, also depend on. */
type Under = Pick<Row, 'settings' | 'model' | 'upgradedShare' | 'judgements'>;

/** Judgements that have come or gone since a fit make it stale: a tenth of what there was, and ten; and so do the vectors of a tenth of the documents. */
const changedShare = 0.1;
const changedMin = 10;

export async function fittedUnder(db: ReadDatabase, collection: Owner): Promise<Under> {
  const [row] = await db
    .select({ settings: searchSettings.settings })
    .from(searchSettings)
    .where(eq(searchSettings.collectionId, collection.id));
  return {
    settings: actingSettings(row?.settings ?? {}),
    model: collection.model,
    upgradedShare: upgradedShareOf(collection),
    judgements: await db.$count(judgements, judgedIn(collection, undefined)),
  };
}

function upgradedShareOf({ upgradedCount, documentCount }: Owner): number {
  return documentCount === 0 ? 0 : Math.min(1, upgradedCount / documentCount);
}

/** By mode. */
export async function readCalibrations(db: ReadDatabase, collection: Owner): Promise<Calibration[]> {
  const rows = await db
    .select()
    .from(calibrations)
    .where(eq(calibrations.collectionId, collection.id))
    .orderBy(calibrations.mode);
  if (rows.length === 0) return [];
  const now = await fittedUnder(db, collection);
  return await Promise.all(
    rows.map(async (row) => {
      const since = await changedJudgements(db, collection, row);
      return toCalibration(row, staleReasons(row, now, since));
    }),
  );
}

interface Fitted extends Calibrated, Under, Pick<Row, 'mode' | 'unjudged' | 'fittedAt'> {}

/** In place of the mode's former one; the collection is locked. */
export async function putCalibration(
  db: Database,
  { id: collectionId }: Pick<Owner, 'id'>,
  { heldOut, ...fitted }: Fitted,
): Promise<Calibration> {
  const own = { ...fitted, ...heldOut };
  const [put] = await db
    .insert(calibrations)
    .values({ collectionId, ...own })
    .onConflictDoUpdate({ target: [calibrations.collectionId, calibrations.mode], set: own })
    .returning();
  if (!put) throw new Error('the calibration was not returned');
  return toCalibration(put, []);
}

function toCalibration(
  { mode, fittedAt, unjudged, queries, pairs, relevant, calibrationError, brier, weights }: Row,
  stale: StaleReason[],
): Calibration {
  const heldOut = { calibrationError, brier };
  return {
    mode,
    fittedAt: fittedAt.toISOString(),
    unjudged,
    queries,
    pairs,
    relevant,
    heldOut,
    weights,
    stale,
  };
}

function staleReasons(row: Row, now: Under, changed: number): StaleReason[] {
  // A fit of before the defaults were kept with it has too few names: by which it was made is not known.
  const isAlike = asOneText(row.settings) === asOneText(now.settings);
  const isRejudged = changed >= Math.max(changedMin, changedShare * row.judgements);
  return [
    ...(isAlike ? [] : (['settings'] as const)),
    ...(isOfOtherVectors(row, now) ? (['model'] as const) : []),
    ...(isRejudged ? (['judgements'] as const) : []),
  ];
}

/** The record orders names in its own way. */
function asOneText({ ranking, ...others }: SearchSettings): string {
  const byName = (parts: object) => Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([byName(others), byName(ranking ?? {})]);
}

/** Words are found without vectors. By the first document that the transformer has read queries are the transformer's too. */
function isOfOtherVectors({ mode, model, upgradedShare }: Row, now: Under): boolean {
  if (mode === 'keyword') return false;
  const isReadAlike = upgradedShare > 0 === now.upgradedShare > 0;
  return model !== now.model || !isReadAlike || Math.abs(upgradedShare - now.upgradedShare) >= changedShare;
}

/** Those that were given or changed since, and those that have gone. */
async function changedJudgements(
  db: ReadDatabase,
  collection: Pick<Owner, 'id'>,
  { fittedAt, judgements: before }: Row,
): Promise<number> {
  const later = await db.$count(
    judgements,
    judgedIn(collection, undefined, gt(judgements.judgedAt, fittedAt)),
  );
  const earlier = await db.$count(
    judgements,
    judgedIn(collection, undefined, lte(judgements.judgedAt, fittedAt)),
  );
  // One that was changed is not among the earlier ones any more.
  return Math.max(later, before - earlier);
}
