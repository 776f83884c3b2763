import {
  type Embedder,
  isBuiltIn,
  isByTransformer,
  isRotated,
  type ReadQuery,
  type Tier,
} from '#server/embeddings/embedder.ts';
import { english, nothingFits, reportOf } from '#server/engine/search-index.ts';
import type { Metric } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionLabel, EffectiveRequest, MergedRules } from '#shared/search.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import type { MergedSearch, MergedTarget } from '../indexes.ts';
import { notAtWork } from '../models/not-at-work.ts';
import { embedderOf, type SharedEmbedder } from '../models/query-embedder.ts';
import { type AppliedRules, applyRules } from '../rules/apply-rules.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import { facetCounts } from './facet-counts.ts';
import { mergedFacets } from './merged-facets.ts';
import { type Member, MergedMembers, type Reader } from './merged-members.ts';
import { agree, rankTogether } from './merged-ranking.ts';
import type { Place } from './merged-support.ts';
import { pageOf } from './page-of.ts';
import { picked } from './picked-candidates.ts';
import { toSearchQuery } from './query.ts';
import { RequestWork } from './request-work.ts';
import { effectiveRequest, withoutCluster } from './search-answer.ts';
import { apart, type ShownMergedHit } from './search-hit.ts';
import { roundedMs, SearchTimes } from './search-times.ts';
import { shownFields } from './shown-document.ts';

interface MergeParts {
  registry: Reader;
  rules: Pick<RuleBook, 'of'>;
  /** When overrides act. */
  clock: () => Date;
  embedder: SharedEmbedder<Pick<Embedder, 'readQuery' | 'knowsWord'>>;
  tierOf: (collectionId: number) => Tier | Promise<Tier>;
  /** What a request may compute; absent: any time. */
  budgetMs?: number | undefined;
}

/** What the rules of each collection make of the search, and why some that compare by meaning too do not. */
interface Acting {
  rules: Map<MergedTarget, AppliedRules['acting']>;
  withoutMeaning?: string;
}

/**
 * One list over several collections, ranked as if their documents were in one: words are weighed by the figures of all, the nearest
 * are those of all, and scores are normalised over all. Only the page's documents leave the engine. What is done here is done bit by bit.
 */
export async function searchMerged(
  { registry, budgetMs, ...parts }: MergeParts,
  targets: MergedTarget[],
  {
    signal,
    answerBytesMax,
    ...merge
  }: { page: number; per_page: number; answerBytesMax: number; signal?: AbortSignal | undefined },
): Promise<MergedSearch> {
  const times = new SearchTimes();
  const { offset, perPage } = pageOf(merge);
  const members = new MergedMembers(registry, { signal, times });
  const [first] = targets;
  const requester = first?.collection.for ?? { tenant: '', caller: '' };
  const work = new RequestWork({ for: requester, signal, budgetMs });
  const acting: Acting = { rules: new Map() };
  await members.join(targets, queriesFor(targets, { ...parts, work, times, signal }, acting));
  const [reader] = members.all;
  await agree(members, reader ? (await parts.rules.of(reader.target.collection)).analyzer : english);
  const page = await rankTogether(members, offset, offset + perPage);
  const { hits, fitting } = await hitsOf(members, page, answerBytesMax);
  const { all } = members;
  const total = (read: (member: Member) => number) => all.reduce((sum, member) => sum + read(member), 0);
  const told = all.map(({ candidates }) => candidates.facets);
  const valuesMax = first?.search.max_facet_values ?? searchDefaults.max_facet_values;
  const facets = await work.runSteps(mergedFacets(told, valuesMax));
  return {
    answer: {
      found: total(({ candidates }) => candidates.found),
      out_of: total(({ candidates }) => candidates.outOf),
      ...(nothingFits({ offset, walk: null, sort: [] }, fitting) && { nothing_fits: true }),
      page: merge.page,
      per_page: perPage,
      search_time_ms: roundedMs(times.tookMs),
      timings: times.sums(),
      hits,
      facet_counts: facets.map(facetCounts),
      collection_counts: all
        .map(countsOf)
        .sort((a, b) => b.found - a.found || a.collection.id - b.collection.id),
      request: {
        ...requestOf(all, first, parts.embedder),
        ...(acting.withoutMeaning && { without_meaning: acting.withoutMeaning }),
        ...(members.isFromRecord && { without_cluster: withoutCluster[members.isFromRecord] }),
        ...rulesOf(all, acting),
      },
    },
    failed: members.failed,
  };
}

/** Words are read once, and made a vector once for each dimension; vectors of collections with different metrics are compared by cosine. */
function queriesFor(
  targets: MergedTarget[],
  {
    rules,
    clock,
    embedder,
    tierOf,
    work,
    times,
    signal,
  }: Pick<MergeParts, 'rules' | 'clock' | 'embedder' | 'tierOf'> & {
    work: RequestWork;
    times: SearchTimes;
    signal: AbortSignal | undefined;
  },
  acting: Acting,
) {
  const now = clock();
  // The query is one; of collections of several accounts it counts for the first one's.
  const own = embedderOf(embedder, targets[0]?.collection.for.tenant ?? '');
  let read: Promise<ReadQuery> | null = null;
  const vectors = new Map<string, Promise<Float32Array>>();
  // Of all at once, which is one look into the record.
  let tiers: Promise<Map<number, Tier>> | null = null;
  const askTiers = async () => {
    const asked = targets.map(async ({ collection: { id } }) => [id, await tierOf(id)] as const);
    return new Map(await Promise.all(asked));
  };
  // One query for all whose vectors have one space, or their similarities could not be compared.
  const commonTierOf = async (id: number): Promise<Tier> => {
    tiers ??= askTiers();
    const all = await tiers;
    const own = all.get(id) ?? (await tierOf(id));
    if (!isBuiltIn(own) || isByTransformer(own)) return own;
    if (![...all.values()].some(isByTransformer)) return own;
    return isRotated(own) ? 'transformer-rotated' : 'transformer';
  };
  const embed = async (text: string, dimension: number, tier: Tier) => {
    read ??= work.run(() => own.readQuery(text));
    const query: ReadQuery = await read;
    return work.run(() => notAtWork({ tier, signal }, () => query.toVector(dimension, tier)));
  };
  const embedQuery: Embedder['embedQuery'] = (text, dimension, tier = 'static') => {
    const key = `${tier} ${dimension}`;
    const vector = vectors.get(key) ?? times.of('embedding', () => embed(text, dimension, tier));
    vectors.set(key, vector);
    return vector;
  };
  const metrics = new Set(targets.map(({ collection }) => collection.metric));
  const metric: Metric | null = metrics.size > 1 ? 'cosine' : null;
  return async (target: MergedTarget) => {
    const { collection, search } = target;
    const { mode, ...given } = search;
    const ofCollection = await rules.of(collection);
    // A vector that came with the search is of whatever model the documents' own are.
    let model = 'given';
    const { query, withoutMeaning } = await work.run(() => {
      const applied = applyRules(ofCollection, { mode, given, now, isMerged: true });
      acting.rules.set(target, applied.acting);
      const tierOfQuery = async () => {
        const tier = await commonTierOf(collection.id);
        model = isBuiltIn(tier) ? 'builtin' : tier;
        return tier;
      };
      const ofMeaning = { embedder: { embedQuery, knowsWord: embedder.knowsWord }, tierOf: tierOfQuery };
      return toSearchQuery({ collection, ...ofMeaning }, mode, applied);
    });
    if (withoutMeaning) acting.withoutMeaning ??= withoutMeaning;
    const mostOfEach = facetValuesOfEach(targets.length * query.facets.length);
    const facetValuesMax = query.facetValuesMax === 0 ? 0 : mostOfEach;
    return { query: { ...query, metric, facetValuesMax }, model };
  };
}

/** More than are asked for: a value may be rare in each collection and frequent in all. */
function facetValuesOfEach(facets: number): number {
  return Math.min(limits.facetValuesMax, Math.floor(limits.mergedFacetValuesMax / Math.max(1, facets)));
}

/** The hits of the page. One that was deleted meanwhile is left out. @throws AppError UNPROCESSABLE when they are too many bytes */
async function hitsOf(
  members: MergedMembers,
  page: Place[],
  bytesMax: number,
): Promise<{ hits: ShownMergedHit[]; fitting: (boolean | null)[] }> {
  const wanted = new Map<Member, number[]>();
  for (const { member, at } of page) wanted.set(member, [...(wanted.get(member) ?? []), at]);
  const pickedOf = (member: Member) => picked(member.candidates, wanted.get(member) ?? []);
  const replies = await members.askForHits(
    [...wanted.keys()],
    { bytesMax, countParameter: 'merge.per_page' },
    (member) => ({
      query: member.query,
      agreement: member.agreement,
      picked: pickedOf(member),
      collection: labelOf(member.target.collection),
      shown: shownFields(member.target.search),
    }),
  );
  const found = new Map(
    replies.map(({ member, reply }) => [member, apart(reply, pickedOf(member)).values()]),
  );
  return {
    hits: page.flatMap(({ member }) => found.get(member)?.next().value ?? []),
    fitting: replies.flatMap(({ reply }) => reply.fits),
  };
}

function countsOf({ target, candidates }: Member) {
  return { collection: labelOf(target.collection), found: candidates.found, out_of: candidates.outOf };
}

function labelOf({ id, name }: CollectionLabel): CollectionLabel {
  return { id, name };
}

/** What was asked where nothing was searched. */
export function askedOf(search: MergedTarget['search'] | undefined): EffectiveRequest {
  return { mode: search?.mode ?? 'keyword', query: search?.query ?? search?.q ?? '' };
}

/** What was asked of all collections; what differs between them is not in it. */
function requestOf(
  members: readonly Member[],
  target: MergedTarget | undefined,
  { knowsWord }: Pick<Embedder, 'knowsWord'>,
): EffectiveRequest {
  const [first] = members;
  if (first === undefined) return askedOf(target?.search);
  const { reading } = first.agreement;
  const words = reading?.words ?? [];
  const report = reportOf(
    words,
    members.map(({ candidates }) => candidates.held),
  );
  const matchRule = words.length === 0 ? null : (reading?.rule ?? null);
  const query = { ...first.query, fields: null, filter: null };
  return effectiveRequest(query, { matchRule, ...report }, { parameters: first.target.search, knowsWord });
}

/** Ids of synonyms that are told of a collection: there may be hundreds of these. */
const toldMax = 10;

/** Of each collection the rules that act. */
function rulesOf(members: readonly Member[], acting: Acting): { rules?: MergedRules[] } {
  const rules = members.flatMap(({ target }): MergedRules[] => {
    const { synonyms, override } = acting.rules.get(target) ?? { synonyms: [], override: null };
    if (synonyms.length === 0 && override === null) return [];
    const ids = [...new Set(synonyms.map(({ id }) => id))];
    const told = override && { id: override.id, ...(override.ignored && { ignored: override.ignored }) };
    return [{ collection: labelOf(target.collection), synonyms: ids.slice(0, toldMax), override: told }];
  });
  return rules.length === 0 ? {} : { rules };
}
