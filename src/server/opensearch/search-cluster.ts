import type { HeldWord } from '#server/engine/merged-types.ts';
import { reportOf } from '#server/engine/search-index.ts';
import type { EngineAnswer, EngineFacet, SearchProgress, SearchQuery } from '#server/engine/types.ts';
import { inParallel } from '#server/indexes/search/in-parallel.ts';
import { countedTogether, facetAnswer, facetCounts, facetsIn } from './facet-answers.ts';
import { filterQuery, filterQueryBeside } from './filter-query.ts';
import { countsIn } from './named-counts.ts';
import type { AskedVersion } from './opened-index.ts';
import { type ListedPage, listPage, passingPins } from './placed-hits.ts';
import { filterParts, passingQuery, prepareSearch, rank, type SearchParts } from './prepare-search.ts';
import { allOf, among, anyOf, type Query } from './query.ts';
import type { Ranked } from './ranked.ts';

/** What a search finds, before any document is read. */
export interface ClusterAnswer
  extends ListedPage,
    Pick<EngineAnswer, 'facets' | 'matchRule' | 'droppedTokens' | 'correctedTokens'> {
  parts: SearchParts;
  ranked: Ranked;
}

/**
 * One search in the cluster: how its words are read → what it puts forward → pins → a page, facets, and what became of its words.
 * `unit`: what the cluster's BM25 is of ours; `progress` is told what it is at, as long as it waits for that. @throws FieldNameError, FilterFaultError, AppError (what is not built, the cluster is away), ClusterError
 */
export async function searchCluster(
  asked: AskedVersion,
  query: SearchQuery,
  { unit, progress }: { unit: number; progress: SearchProgress },
): Promise<ClusterAnswer> {
  const { parts, passing } = await prepareSearch(asked, query, { unit, progress });
  progress.part = query.mode === 'keyword' ? 'ranking' : 'vector';
  const ranking = rank(parts, passing).finally(() => {
    progress.part = 'ranking';
  });
  const [ranked, pins] = await Promise.all([ranking, passingPins(parts, passing)]);
  if (query.group !== null) progress.part = 'groups';
  const listing = listPage(parts, ranked, pins).finally(() => {
    if (query.facets.length > 0) progress.part = 'facets';
  });
  // What does not wait for each other is asked together.
  const [page, facets, report] = await Promise.all([listing, countFacets(parts, ranked), reportWords(parts)]);
  return { ...page, facets, ...report, parts, ranked };
}

/** What became of the words of a search. */
export async function reportWords(parts: SearchParts) {
  const { reading } = parts;
  const report = reportOf(reading?.words ?? [], [await heldWords(parts)]);
  return { matchRule: reading === null || reading.words.length === 0 ? null : reading.rule, ...report };
}

export async function countFacets(parts: SearchParts, ranked: Ranked): Promise<EngineFacet[]> {
  const { asked, query, shape } = parts;
  if (query.facets.length === 0) return [];
  const pinned = query.pins.map(({ id }) => id);
  const filters = [query.filter, query.ruleFilter];
  // Pins are counted where they pass, though they are no matches.
  const counted = (candidates: Query, passing: Query) =>
    pinned.length === 0 ? candidates : anyOf([candidates, allOf([passing, among('id', pinned)])]);
  const besides = query.facets.map((facet) => ({
    facet,
    beside: query.areFacetsDisjunctive ? filterQueryBeside(facet.field, filters, filterParts(parts)) : null,
  }));
  const alone = besides.flatMap(({ facet, beside }) => (beside === null ? [] : [{ facet, beside }]));
  // Each may know thousands of documents meanwhile.
  const ofAlone = await inParallel(alone, { atOnce: rankedAtOnce }, async ({ facet, beside }) => {
    const passing = passingQuery(parts, beside);
    const { candidates } = await rank(unlifted(parts), passing);
    return { facets: [facet], query: counted(candidates, passing) };
  });
  const together = besides.flatMap(({ facet, beside }) => (beside === null ? [facet] : []));
  const passing = passingQuery(parts, filterQuery(filters, filterParts(parts)));
  const all = counted(ranked.candidates, passing);
  const ofAll = countedTogether(together, query).map((facets) => ({ facets, query: all }));
  const searches = [...ofAll, ...ofAlone];
  const replies = await asked.ask(
    searches.map((each) => ({ size: 0, query: each.query, aggs: facetCounts(each.facets, query) })),
  );
  const answers = new Map(
    searches.flatMap(({ facets }, i) =>
      facetsIn(facets, replies[i]).map(({ facet, aggregates }) => [
        facet,
        facetAnswer(facet, aggregates, { asked: query, view: shape.fields.get(facet.field) }),
      ]),
    ),
  );
  return query.facets.flatMap((facet) => answers.get(facet) ?? []);
}

/** Facets that have documents of their own. */
const rankedAtOnce = 4;

/** Which documents are put forward is the same without what lifts the best, unless they have to be relevant enough. */
function unlifted(parts: SearchParts): SearchParts {
  const { query } = parts;
  const isByScore = query.relevance && query.relevance.min !== null;
  return isByScore
    ? parts
    : { ...parts, query: { ...query, ranking: { ...query.ranking, neighboursWeight: 0 } } };
}

/** What the matches hold of each word, whatever the filter. */
export async function heldWords({ asked, keyword, reading }: SearchParts): Promise<HeldWord[]> {
  if (reading === null || reading.words.length === 0) return [];
  const aggs = { held: { filters: { filters: keyword.heldFilters(reading) } } };
  const [reply] = await asked.ask([{ size: 0, query: keyword.matches(reading), aggs }]);
  const counts = countsIn(reply?.aggregations?.['held']);
  const isThere = (name: string) => (counts[name] ?? 0) > 0;
  return reading.words.map(({ neighbours }, place) => {
    const isExact = isThere(`exact${place}`);
    return {
      isExact,
      isAny: isExact || isThere(`any${place}`),
      byNeighbour: isExact ? [] : neighbours.map((_, i) => counts[`near${place} ${i}`] ?? 0),
    };
  });
}
