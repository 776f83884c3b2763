import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { searchSettings } from '#server/db/schema/rules.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { compareQueries } from '#server/indexes/relevance/compare-queries.ts';
import { meansOf } from '#server/indexes/relevance/list-figures.ts';
import { type JudgedQuery, measurable } from '#server/indexes/relevance/measure-queries.ts';
import { checkRule } from '#server/indexes/rules/check-rule.ts';
import {
  type ComparedKind,
  type ComparedQuery,
  comparedKinds,
  type compareInput,
  type RelevanceComparison,
} from '#shared/comparisons.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { Context } from './context.ts';
import { readJudged } from './judgement-rows.ts';
import type { CallerContext } from './scope.ts';

type Ctx = CallerContext &
  Pick<Context, 'request'> & { countAll: (requests: ReadonlyMap<number, number>) => Promise<void> };
type Collection = WritableCollection & { workspaceId: number };
type Asked = Pick<
  z.output<typeof compareInput>,
  'mode' | 'draft' | 'model' | 'documents' | 'at' | 'queries' | 'kinds' | 'page' | 'per_page'
>;

/** The judged queries of a collection as it is, and as it would be with a draft or another model. @throws AppError UNPROCESSABLE where none can be measured, BAD_REQUEST for a draft that could not be saved */
export async function compareRelevance(
  ctx: Ctx,
  collection: Collection,
  { mode, draft, model, documents, at, queries, kinds, page, per_page }: Asked,
): Promise<RelevanceComparison> {
  const { signal } = ctx.request;
  const { indexes } = ctx.deps;
  await assertSavable(ctx, collection, draft);
  const all = measurable(await readJudged(ctx.db, collection));
  const asked = queries && new Set(queries);
  const judged = asked ? all.filter(({ query }) => asked.has(query)) : all;
  if (judged.length === 0)
    throw new AppError(
      'UNPROCESSABLE',
      asked
        ? 'None of these queries has a relevant document'
        : 'No query has a relevant document yet: judge some first',
    );
  // Each search counts, as those of a multi-search do.
  await ctx.countAll(new Map([[collection.workspaceId, 2 * judged.length]]));
  const moment = at === undefined ? ctx.deps.clock() : new Date(at);
  const { compared, among } =
    model === undefined
      ? {
          compared: await compareDraft(indexes, collection, { mode, draft, at: moment, judged, signal }),
          among: null,
        }
      : await indexes.compareModel(
          collection,
          { model, draft, at: moment, mode, judged, documentsMax: documents },
          signal,
        );
  const shown = kinds ? compared.filter(({ kind }) => kinds.includes(kind)) : compared;
  return {
    mode,
    queries: compared.length,
    before: meansOf(compared.map((each) => each.before)),
    after: meansOf(compared.map((each) => each.after)),
    among,
    counts: countsOf(compared),
    results: shown.toSorted(byChange).slice((page - 1) * per_page, page * per_page),
  };
}

async function compareDraft(
  indexes: Pick<Indexes, 'drafted'>,
  collection: Collection,
  {
    draft,
    at,
    signal,
    ...asked
  }: { draft: RuleDraft; at: Date; signal: AbortSignal; mode: Asked['mode']; judged: readonly JudgedQuery[] },
): Promise<ComparedQuery[]> {
  const [before, after] = await Promise.all([
    indexes.drafted(collection, { draft: {}, at }),
    indexes.drafted(collection, { draft, at }),
  ]);
  return await compareQueries({ before, after }, asked, { signal });
}

/** What could not be saved is refused here, and not told as so many queries that find nothing; sizes and counts of rules are checked when they are saved. */
async function assertSavable(
  ctx: Ctx,
  collection: Collection,
  { settings, overrides }: RuleDraft,
): Promise<void> {
  const { signal } = ctx.request;
  for (const { rule, filter_by, sort_by } of overrides?.put ?? []) {
    checkRule(rule);
    if (filter_by !== undefined || sort_by !== undefined)
      await ctx.deps.indexes.check(collection, { filter_by, sort_by }, signal);
  }
  if (settings) {
    const saved = await savedLanguage(ctx, collection.id);
    if ((settings.language ?? null) !== saved)
      throw badRequest(
        'draft.settings.language',
        `cannot be compared before it is saved, as the texts are read anew for it: it is ${saved ?? 'not set'}`,
      );
  }
  const { query_by, query_by_weights } = settings ?? {};
  if (query_by || query_by_weights)
    await ctx.deps.indexes.check(
      collection,
      { query_by: query_by ?? undefined, query_by_weights: query_by_weights ?? undefined },
      signal,
    );
}

async function savedLanguage({ db }: Pick<Ctx, 'db'>, collectionId: number): Promise<string | null> {
  const [row] = await db
    .select({ settings: searchSettings.settings })
    .from(searchSettings)
    .where(eq(searchSettings.collectionId, collectionId));
  return row?.settings.language ?? null;
}

function countsOf(compared: readonly ComparedQuery[]): Record<ComparedKind, number> {
  const counts = { emptied: 0, rescued: 0, lost: 0, gained: 0, moved: 0, same: 0 };
  for (const { kind } of compared) counts[kind] += 1;
  return counts;
}

/** The greatest change first; of the same size what became empty before what only moved. They come in the order of their queries. */
function byChange(a: ComparedQuery, b: ComparedQuery): number {
  return (
    Math.abs(b.change) - Math.abs(a.change) || comparedKinds.indexOf(a.kind) - comparedKinds.indexOf(b.kind)
  );
}
