import { TRPCError } from '@trpc/server';
import type { z } from 'zod';
import type { KnownCollection } from '#server/auth/known/known-callers.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { MergedTarget } from '#server/indexes/indexes.ts';
import { bytesOfAnswer, type ShownAnswer } from '#server/indexes/search/search-answer.ts';
import type { ShownMergedHit } from '#server/indexes/search/search-hit.ts';
import { askedOf } from '#server/indexes/search/search-merged.ts';
import { shareBytes } from '#server/indexes/search/share-bytes.ts';
import { QuotaError } from '#server/quotas/quota-error.ts';
import { toAppError } from '#server/to-app-error.ts';
import { errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  type CollectionLabel,
  type MergedSearchAnswer,
  type MergeFailure,
  type MultiSearchAnswer,
  type MultiSearchResult,
  mergedSearchItem,
  type multiSearchInput,
  multiSearchItem,
  type SearchFault,
} from '#shared/search.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import type { Context } from './context.ts';
import type { CountAll } from './count-call.ts';
import { findActiveCollections, listSearchable } from './known-collections.ts';
import { noteDeniedCall } from './note-denied-call.ts';
import { noteMerged, noteSearch } from './note-search.ts';
import type { CallerContext } from './scope.ts';

type Searches = z.infer<typeof multiSearchInput>['searches'];
type Merge = NonNullable<z.infer<typeof multiSearchInput>['merge']>;
type SearchContext = CallerContext & Pick<Context, 'held' | 'log' | 'request'> & { countAll: CountAll };

/** More at once would only make others' searches wait longer. */
const searchesAtOnce = 4;

/** What several searches of one list must have in common, or their scores would not compare. */
const commonParameters = [
  'mode',
  'query',
  'q',
  'prefix',
  'num_typos',
  'split_join_tokens',
  'drop_tokens_threshold',
  'match',
  'k',
  'exact',
  'alpha',
  'fusion',
  'sort_by',
  'facet_by',
  'facet_query',
  'max_facet_values',
  'facet_mode',
  'stop_words',
  'ranking',
] as const;

/** What a search of one list must not have. */
const whyAlone = {
  preset: 'presets are of one collection',
  group_by: 'groups are of one collection',
  cursor: 'one list has pages',
  understand: 'values and amounts are those of one collection',
  rerank: 'the best hits of one collection are ordered anew',
} as const;
const alone = ['preset', 'group_by', 'cursor', 'understand', 'rerank'] as const;

/** An answer a search; whatever is wrong with one stays in its place, also that its answer does not fit beside the others. */
export async function searchEach(
  ctx: SearchContext,
  searches: Searches,
): Promise<MultiSearchAnswer<ShownAnswer>> {
  const parsed = searches.map((search) => multiSearchItem.safeParse(search));
  const references = parsed.flatMap(({ data }) => (data ? [data.collection] : []));
  const found = await findActiveCollections(ctx, references);
  await countSearches(ctx, parsed, ({ data }) => (data ? workspaceOf(found, data.collection) : null));
  const { signal, answerBytesMax: bytesMax } = ctx.request;
  const outcomes = await shareBytes(
    parsed,
    { bytesMax, countParameter: 'per_page', bytesOf: bytesOfAnswer, atOnce: searchesAtOnce, signal },
    async ({ data, error }, answerBytesMax) => {
      if (!data) throw invalid(error);
      const { collection: reference, enable_analytics, ...search } = data;
      const collection = found(reference);
      const answer = await ctx.deps.indexes.search(collection, { ...search, answerBytesMax }, signal);
      ctx.held.answer.add(bytesOfAnswer(answer));
      return { ...answer, ...noteSearch(ctx, collection, { ...search, enable_analytics }, answer) };
    },
  );
  const results = outcomes.map(
    (outcome): MultiSearchResult<ShownAnswer> =>
      'result' in outcome ? outcome.result : { error: faultOf(ctx, outcome.error) },
  );
  return { results };
}

/**
 * One list over all searches; what cannot be searched is a failure beside it.
 * @throws AppError BAD_REQUEST also when nothing was searched, and all because of what was asked
 */
export async function searchMerged(
  ctx: SearchContext,
  searches: Searches,
  merge: Merge,
): Promise<MergedSearchAnswer<ShownMergedHit>> {
  const failures: MergeFailure[] = [];
  const items: MergedItem[] = [];
  for (const [index, given] of searches.entries()) {
    const { data, error } = mergedSearchItem.safeParse(given);
    if (data) items.push({ index, ...data });
    else failures.push({ search: index, reference: null, error: faultOf(ctx, invalid(error)) });
  }
  assertMergeable(items);
  const targets = await targetsOf(ctx, items, failures);
  const workspaces = new Map(targets.map(({ index, collection }) => [index, collection.workspaceId]));
  await countSearches(ctx, [...searches.keys()], (index) => workspaces.get(index) ?? null);
  const { signal, answerBytesMax } = ctx.request;
  const { answer, failed } = await ctx.deps.indexes.searchMerged(
    targets,
    { ...merge, answerBytesMax },
    signal,
  );
  for (const { target, error } of failed) {
    const { index, reference, collection } = target;
    failures.push({ search: index, reference, collection: labelOf(collection), error: faultOf(ctx, error) });
  }
  failures.sort((a, b) => a.search - b.search);
  if (answer.collection_counts.length === 0) assertNotAllRefused(failures);
  // Where no collection was found, the indexes were not told what was asked.
  const request = targets.length === 0 ? askedOf(items[0]) : answer.request;
  return {
    ...answer,
    collection_counts: noteMerged(ctx, { items, targets, merge }, answer),
    request,
    failures,
  };
}

/** "Nothing found" would be untrue where nothing could be asked. @throws AppError BAD_REQUEST */
function assertNotAllRefused(failures: MergeFailure[]): void {
  const [first] = failures;
  if (!first || failures.some(({ error }) => error.code !== 'BAD_REQUEST')) return;
  const { message, details = [] } = first.error;
  const at = `searches.${first.search}`;
  throw new AppError('BAD_REQUEST', `${at}.${message}`, {
    details: details.map((detail) => ({ ...detail, path: `${at}.${detail.path}` })),
  });
}

type Target = MergedTarget & { collection: KnownCollection };

/** Each counts as a request: a key's for the key's workspace, others for that of a collection that is searched. @throws QuotaError TOO_MANY_REQUESTS */
async function countSearches<Search>(
  { principal, countAll }: SearchContext,
  searches: readonly Search[],
  workspaceIdOf: (search: Search) => number | null,
): Promise<void> {
  const requests = new Map<number, number>();
  for (const search of searches) {
    const id = principal.kind === 'key' ? principal.workspaceId : workspaceIdOf(search);
    if (id !== null) requests.set(id, (requests.get(id) ?? 0) + 1);
  }
  await countAll(requests);
}

/** Null: it cannot be searched, which its caller hears in its place. @throws QuotaError TOO_MANY_REQUESTS */
function workspaceOf(find: (reference: string) => KnownCollection, reference: string): number | null {
  try {
    return find(reference).workspaceId;
  } catch (error) {
    if (error instanceof QuotaError) throw error;
    return null;
  }
}

type MergedItem = z.infer<typeof mergedSearchItem> & { index: number };

/** @throws AppError BAD_REQUEST */
function assertMergeable(items: MergedItem[]): void {
  const [first, ...others] = items;
  if (first?.sort_by)
    throw badRequest(
      `searches.${first.index}.sort_by`,
      'does not go with "merge": one list is in the order of the scores',
    );
  if (first?.fusion === 'rrf')
    throw badRequest(
      `searches.${first.index}.fusion`,
      'must be "weighted" in one list: ranks of different collections do not compare',
    );
  if (first && first.mode !== 'keyword' && first.facet_mode === 'disjunctive')
    throw badRequest(
      `searches.${first.index}.facet_mode`,
      'must be "conjunctive" in one list by meaning: which neighbours there were without a filter is not known of all collections',
    );
  const cut = items.find((item) => item.min_relevance !== undefined);
  if (cut && first?.facet_mode === 'disjunctive')
    throw badRequest(
      `searches.${cut.index}.min_relevance`,
      'needs "facet_mode": "conjunctive" in one list: how relevant documents were without a filter is not known of all collections',
    );
  for (const name of alone) {
    const item = items.find((each) => each[name] !== undefined);
    if (item)
      throw badRequest(`searches.${item.index}.${name}`, `does not go with "merge": ${whyAlone[name]}`);
  }
  const common = { ...searchDefaults, ...first };
  for (const item of others) {
    const own = { ...searchDefaults, ...item };
    const differing = commonParameters.find(
      (name) => JSON.stringify(own[name]) !== JSON.stringify(common[name]),
    );
    if (differing === undefined) continue;
    throw badRequest(`searches.${item.index}.${differing}`, 'must be the same in all searches of one list');
  }
}

/**
 * A collection takes part once, so that no document is in the list twice: in the first search that names it. `*` is all that searches
 * before it have left.
 * @throws AppError BAD_REQUEST (too many collections)
 */
async function targetsOf(
  ctx: SearchContext,
  items: MergedItem[],
  failures: MergeFailure[],
): Promise<Target[]> {
  const references = new Set(items.flatMap(namedIn));
  assertFewEnough(references.size);
  const find = await findActiveCollections(ctx, [...references]);
  const everything = items.some(({ collections }) => collections === '*') ? await listSearchable(ctx) : [];
  const targets = new Map<number, Target>();
  for (const item of items) {
    const { index, collection: _, collections, ...search } = item;
    const take = (reference: string, found: KnownCollection) =>
      targets.set(found.id, { index, reference, collection: found, search });
    if (collections === '*') {
      for (const row of everything) if (!targets.has(row.id)) take('*', row);
      continue;
    }
    for (const reference of namedIn(item)) {
      try {
        const found = find(reference);
        const taken = targets.get(found.id);
        if (taken && taken.index !== index) throw takenAlready(taken);
        if (!taken) take(reference, found);
      } catch (error) {
        if (error instanceof QuotaError) throw error;
        failures.push({ search: index, reference, error: faultOf(ctx, error) });
      }
    }
  }
  assertFewEnough(targets.size);
  return [...targets.values()];
}

/** @throws AppError BAD_REQUEST */
function assertFewEnough(collections: number): void {
  const most = limits.mergedCollectionsMax;
  if (collections > most)
    throw badRequest('searches', `name ${collections} collections; one list takes ${most}`);
}

function namedIn({ collection, collections = [] }: MergedItem): string[] {
  if (collection !== undefined) return [collection];
  return collections === '*' ? [] : collections;
}

function takenAlready({ index }: MergedTarget): AppError {
  return badRequest('collection', `takes part in one list once, and search ${index} has it`);
}

function labelOf({ id, name }: CollectionLabel): CollectionLabel {
  return { id, name };
}

function invalid(cause: z.ZodError): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', cause });
}

/** What the caller hears of a failure in its place; the log hears of it as loudly as its code says. */
function faultOf(ctx: SearchContext, thrown: unknown): SearchFault {
  const error = toAppError(thrown);
  const { code, message, details } = error;
  noteDeniedCall(ctx, error, { action: 'search.multi', workspaceId: null });
  const { level } = errorTable[code];
  if (level !== 'info')
    ctx.log[level]('one of several searches failed', { code, error: error.cause ?? error });
  return { code, message, ...(details && { details }) };
}
