import type { HeldWord, KeywordReading } from '#server/engine/merged-types.ts';
import { hasWords, readQuery, reportOf } from '#server/engine/search-index.ts';
import type { EngineAnswer, EngineFacet, Pin, SearchQuery } from '#server/engine/types.ts';
import { assertBuilt } from './assert-built.ts';
import type { BothParts } from './both-sides.ts';
import { type FacetAggregates, facetAggregations, facetAnswer } from './facet-answers.ts';
import { filterQuery, filterQueryBeside } from './filter-query.ts';
import type { FoundHit, FoundPage, Ranked, Reading } from './found-page.ts';
import { countsIn, KeywordSearch } from './keyword-search.ts';
import { wholeDocument } from './mapping.ts';
import { type AskedVersion, drawnOf, shapeOf } from './opened-index.ts';
import { othersOfPage, pinnedPlaces } from './pinned-places.ts';
import { allOf, among, everything, noneOf, type Query, term } from './query.ts';
import { rankedBoth } from './ranked-both.ts';
import { rankedVectors } from './ranked-vectors.ts';
import { hitsOf, rankedWords } from './ranked-words.ts';
import type { Shape } from './shape.ts';
import { afterOf, nextPlace } from './walk-places.ts';

/** What a search finds, before any document is read. */
export interface ClusterAnswer
  extends Pick<
    EngineAnswer,
    'found' | 'next' | 'facets' | 'matchRule' | 'droppedTokens' | 'correctedTokens'
  > {
  page: (FoundHit & { isPinned: boolean })[];
  reading: Reading;
  scale: FoundPage['scale'];
}

/** What all parts of a search read. */
export interface SearchParts {
  asked: AskedVersion;
  query: SearchQuery;
  shape: Shape;
  keyword: KeywordSearch;
  reading: Reading;
  unit: number;
}

/**
 * One search in the cluster: how its words are read → what it puts forward → pins → a page, facets, and what became of its words.
 * `unit`: what the cluster's BM25 is of ours. @throws FieldNameError, FilterFaultError, AppError (what is not built, the cluster is away), ClusterError
 */
export async function searchCluster(
  asked: AskedVersion,
  given: SearchQuery,
  unit: number,
): Promise<ClusterAnswer> {
  assertBuilt(given);
  const query = isByScoreAlone(given) ? { ...given, sort: [] } : given;
  const { parts, passing } = await prepareSearch(asked, query, { unit });
  const { reading } = parts;
  const ranked = await rank(parts, passing);
  const [pins, facets, held] = await Promise.all([
    passingPins(parts, passing),
    countFacets(parts, ranked),
    heldWords(parts),
  ]);
  const listed = await pageOf(parts, ranked, pins);
  const report = reportOf(reading?.words ?? [], [held]);
  const matchRule = reading === null || reading.words.length === 0 ? null : reading.rule;
  return { ...listed, reading, facets, matchRule, ...report };
}

/** `reading`: how its words are read; absent: as the index alone says. */
export async function prepareSearch(
  asked: AskedVersion,
  query: SearchQuery,
  { unit, reading: given }: { unit: number; reading?: Reading },
): Promise<{ parts: SearchParts; passing: Query }> {
  const shape = await shapeOf(asked);
  shape.check(query);
  const { analyzer } = asked.opened;
  const keyword = new KeywordSearch(asked.ask, query, { analyzer, documents: asked.documentCount });
  if (given) await keyword.learn(given);
  const own = given === undefined && hasWords(query) ? await readWords(keyword, query, asked) : null;
  const parts = { asked, query, shape, keyword, reading: given ?? own, unit };
  const passing = passingQuery(parts, filterQuery([query.filter, query.ruleFilter], filterParts(parts)));
  return { parts, passing };
}

/** As without an order. */
function isByScoreAlone({ sort: [key, ...others] }: SearchQuery): boolean {
  return key !== undefined && others.length === 0 && key.field === '_score' && key.descending;
}

async function readWords(keyword: KeywordSearch, query: SearchQuery, { opened }: AskedVersion) {
  const reading = readQuery(query, opened.analyzer);
  let step = reading.next();
  while (!step.done) step = reading.next(await keyword.figures(step.value));
  return step.value satisfies KeywordReading;
}

const filterParts = ({ shape, asked }: Pick<SearchParts, 'shape' | 'asked'>) => ({
  fields: shape.fields,
  rules: asked.opened.analyzer.words,
});

/** What may be found by words and vectors. */
function passingQuery({ query, keyword }: SearchParts, filter: Query): Query {
  const excluded = query.excludeIds.length === 0 ? [] : [noneOf([among('id', query.excludeIds)])];
  const parts = [filter, keyword.admitted, ...excluded].filter((each) => each !== everything);
  return allOf([term('is', wholeDocument), ...parts]);
}

/** What both ways of searching read. */
export function sidesPartsOf({ asked, query, keyword, reading, unit }: SearchParts): BothParts {
  const { dimension, metric } = asked.collection;
  return { ask: asked.ask, query, keyword, reading, unit, dimension, metric, drawn: () => drawnOf(asked) };
}

/** `scale`: by what hybrid scores are normalised; null: by the index's own. */
export function rank(
  parts: SearchParts,
  passing: Query,
  scale: FoundPage['scale'] = null,
): Ranked | Promise<Ranked> {
  const both = sidesPartsOf(parts);
  const { mode } = parts.query;
  if (mode === 'keyword') return rankedWords(both, passing);
  return mode === 'vector' ? rankedVectors(both, passing) : rankedBoth(both, passing, scale);
}

async function passingPins({ asked, query }: SearchParts, passing: Query): Promise<Pin[]> {
  if (query.pins.length === 0) return [];
  const ids = query.pins.map(({ id }) => id);
  const [reply] = await asked.ask([{ size: ids.length, query: allOf([passing, among('id', ids)]) }]);
  const there = new Set(hitsOf(reply).map(({ _id }) => _id));
  const first = new Map<string, Pin>();
  for (const pin of query.pins.toSorted((a, b) => a.position - b.position))
    if (there.has(pin.id) && !first.has(pin.id)) first.set(pin.id, pin);
  return [...first.values()];
}

async function pageOf({ query }: SearchParts, ranked: Ranked, pins: Pin[]) {
  const without = pins.map(({ id }) => id);
  const { offset, limit } = query;
  // How many others there are says where pins behind the end stand; without pins a page is asked for at once.
  const others = pins.length === 0 ? 0 : (await ranked.page({ offset: 0, limit: 0, without })).found;
  const places = pinnedPlaces(pins, others);
  const part = othersOfPage(places, { offset, limit });
  const own = await ranked.page({ offset: part.offset, limit: part.limit, without, after: afterOf(query) });
  const rest = own.hits.values();
  const pinned = part.within.length === 0 ? [] : await ranked.these(part.within.map(({ id }) => id));
  const pinnedAt = new Map(part.within.map(({ place }, i) => [place - offset, pinned[i]]));
  const page = Array.from({ length: own.hits.length + pinnedAt.size }, (_, i) => {
    const pin = pinnedAt.get(i);
    if (pin !== undefined) return { ...pin, isPinned: true };
    const hit = rest.next().value;
    return hit ? { ...hit, isPinned: false } : null;
  }).filter((hit) => hit !== null);
  const found = own.found + pins.length;
  return { page, found, scale: own.scale, next: nextPlace(query, { page, others: own.hits, found }) };
}

export async function countFacets(parts: SearchParts, ranked: Ranked): Promise<EngineFacet[]> {
  const { asked, query, shape } = parts;
  if (query.facets.length === 0) return [];
  const pinned = query.pins.map(({ id }) => id);
  const filters = [query.filter, query.ruleFilter];
  const searches = await Promise.all(
    query.facets.map(async (facet) => {
      const beside = query.areFacetsDisjunctive
        ? filterQueryBeside(facet.field, filters, filterParts(parts))
        : null;
      const passing = passingQuery(parts, beside ?? filterQuery(filters, filterParts(parts)));
      const { candidates } = beside === null ? ranked : await rank(parts, passing);
      // Pins are counted where they pass, though they are no matches.
      const counted =
        pinned.length === 0 ? candidates : anyOfThese(candidates, allOf([passing, among('id', pinned)]));
      return { size: 0, query: counted, aggs: facetAggregations(facet, query) };
    }),
  );
  const replies = await asked.ask(searches);
  return query.facets.map((facet, i) => {
    const aggregates = replies[i]?.aggregations as unknown as FacetAggregates;
    return facetAnswer(facet, aggregates, { asked: query, view: shape.fields.get(facet.field) });
  });
}

const anyOfThese = (a: Query, b: Query): Query => ({ bool: { should: [a, b], minimum_should_match: 1 } });

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
