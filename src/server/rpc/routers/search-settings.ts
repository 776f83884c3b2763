import { eq } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { detectedLanguages, searchSettings as table } from '#server/db/schema/rules.ts';
import { badRequest } from '#server/errors.ts';
import { collectionRef } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import {
  defaultLanguage,
  type SearchSettings,
  type SettingName,
  type ShownSettings,
  settingNames,
  settingsUpdate,
  shownSettings,
} from '#shared/search-settings.ts';
import { assertFits, assertRoomForRules, bytesOfRule, getToRule, ruleAct } from '../rules.ts';
import { getCollection } from '../scope.ts';
import { inTransaction, keyProcedure, router } from '../trpc.ts';

/** Of a collection. */
async function readShown(db: ReadDatabase, collectionId: number): Promise<ShownSettings> {
  const settings = await readSettings(db, collectionId);
  const [detected] = await db
    .select()
    .from(detectedLanguages)
    .where(eq(detectedLanguages.collectionId, collectionId));
  const all = Object.fromEntries(settingNames.map((name) => [name, settings[name] ?? null]));
  return {
    ...(all as Pick<ShownSettings, SettingName>),
    acting_language: settings.language ?? ((detected?.acts && detected.language) || defaultLanguage),
    detected_language: detected?.language ?? null,
    detected_documents: detected?.readDocuments ?? 0,
  };
}

async function readSettings(db: ReadDatabase, collectionId: number): Promise<SearchSettings> {
  const [row] = await db
    .select({ settings: table.settings })
    .from(table)
    .where(eq(table.collectionId, collectionId));
  return row?.settings ?? {};
}

/** Those that are set. */
function toStored(settings: SearchSettings): SearchSettings {
  const set = settingNames
    .map((name) => [name, settings[name]] as const)
    .filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set);
}

export const searchSettingsRouter = router({
  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/settings',
        summary: 'How a collection is searched where a search does not say it',
        output: shownSettings,
      },
    })
    .input(collectionRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getCollection(ctx, input.collection);
      return await readShown(ctx.db, id);
    }),

  /** All of them: what is absent is not set any more. */
  update: keyProcedure('write')
    .meta({
      act: 'Search settings changed',
      rest: {
        at: 'PUT /api/collections/{name:collection}/settings',
        summary: 'Replace the search settings of a collection',
        example: { collection: 'films', query_by: ['title', 'extract'], query_by_weights: [3, 1] },
        output: shownSettings,
      },
    })
    .input(settingsUpdate)
    .use(async ({ ctx, input: { collection, query_by, query_by_weights }, next }) => {
      await assertFits(ctx, collection, {
        query_by: query_by ?? undefined,
        query_by_weights: query_by_weights ?? undefined,
      });
      return next();
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, ...input } }) => {
      const after = toStored(input);
      const own = { settings: after, bytes: bytesOfRule(after) };
      if (own.bytes > limits.settingsBytesMax)
        throw badRequest(
          'stop_words',
          `with the other settings: at most ${limits.settingsBytesMax / 1024} KB`,
        );
      const collection = await getToRule(ctx, reference);
      const before = await readSettings(ctx.db, collection.id);
      await ctx.db
        .insert(table)
        .values({ collectionId: collection.id, ...own })
        .onConflictDoUpdate({ target: table.collectionId, set: own });
      await assertRoomForRules(ctx.db, collection);
      ctx.audit(ruleAct(collection, { before, after }));
      if (before.language !== after.language) ctx.afterCommit(() => ctx.deps.indexes.readAnew(collection.id));
      return await readShown(ctx.db, collection.id);
    }),
});
