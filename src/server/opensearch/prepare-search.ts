import type { KeywordReading, Spread } from '#server/engine/merged-types.ts';
import { hasWords, readQuery } from '#server/engine/search-index.ts';
import type { SearchProgress, SearchQuery, SortKey } from '#server/engine/types.ts';
import type { BothParts } from './both-sides.ts';
import { filterQuery } from './filter-query.ts';
import { KeywordSearch } from './keyword-search.ts';
import { shapeOf } from './known-shape.ts';
import { wholeDocument } from './mapping.ts';
import { type AskedVersion, drawnOf } from './opened-index.ts';
import { orderedHere, readsOwnScores } from './ordered-here.ts';
import { allOf, among, everything, noneOf, type Query, term } from './query.ts';
import type { GivenScores, Ranked, Reading } from './ranked.ts';
import { rankedBoth } from './ranked-both.ts';
import { rankedVectors } from './ranked-vectors.ts';
import { rankedWords } from './ranked-words.ts';
import type { Shape } from './shape.ts';
import { sortPlan } from './sort-plan.ts';

/** What all parts of a search read. */
export interface SearchParts {
  asked: AskedVersion;
  query: SearchQuery;
  shape: Shape;
  keyword: KeywordSearch;
  reading: Reading;
  unit: number;
  /** How similarities are spread is asked once. */
  spread: { known: Promise<Spread> | null };
}

/** `reading`: how its words are read; absent: as the index alone says. `progress` is told what the cluster is asked. @throws FieldNameError, FilterFaultError */
export async function prepareSearch(
  asked: AskedVersion,
  given: SearchQuery,
  { unit, reading: agreed, progress }: { unit: number; reading?: Reading; progress: SearchProgress },
): Promise<{ parts: SearchParts; passing: Query }> {
  progress.part = 'filter';
  const shape = await shapeOf(asked);
  shape.check(given);
  const query = { ...given, sort: tellingKeys(given) };
  const keyword = new KeywordSearch(asked.ask, query, { ...asked.opened, documents: asked.documentCount });
  if (query.mode !== 'vector') progress.part = 'words';
  if (agreed) await keyword.learn(agreed);
  const own = agreed === undefined && hasWords(query) ? await readWords(keyword, query, asked) : null;
  const parts = { asked, query, shape, keyword, reading: agreed ?? own, unit, spread: { known: null } };
  const passing = passingQuery(parts, filterQuery([query.filter, query.ruleFilter], filterParts(parts)));
  return { parts, passing };
}

/** Without scores that no hit of such a search has; by score alone is as without an order. */
function tellingKeys({ mode, sort }: SearchQuery): SortKey[] {
  const absent = { keyword: '_vector_distance', vector: '_text_match', hybrid: null }[mode];
  const keys = sort.filter(({ field }) => field !== absent);
  const [first, ...others] = keys;
  if (first === undefined) return sort.length === 0 ? [] : [{ field: 'id', descending: false }];
  return others.length === 0 && first.field === '_score' && first.descending ? [] : keys;
}

async function readWords(keyword: KeywordSearch, query: SearchQuery, { opened }: AskedVersion) {
  const reading = readQuery(query, opened.analyzer);
  let step = reading.next();
  while (!step.done) step = reading.next(await keyword.figures(step.value));
  return step.value satisfies KeywordReading;
}

export const filterParts = ({ shape, asked }: Pick<SearchParts, 'shape' | 'asked'>) => ({
  fields: shape.fields,
  rules: asked.opened.analyzer.words,
});

/** What may be found by words and vectors. */
export function passingQuery(
  { query, keyword }: Pick<SearchParts, 'query' | 'keyword'>,
  filter: Query,
): Query {
  const excluded = query.excludeIds.length === 0 ? [] : [noneOf([among('id', query.excludeIds)])];
  const parts = [filter, keyword.admitted, ...excluded].filter((each) => each !== everything);
  return allOf([term('is', wholeDocument), ...parts]);
}

/** What both ways of searching read. */
export function sidesPartsOf({
  asked,
  query,
  keyword,
  reading,
  unit,
  shape,
  spread,
}: SearchParts): BothParts {
  const { dimension, metric, for: requester } = asked.collection;
  const hasPoints = (field: string) => shape.fields.get(field)?.types.includes('geopoint') === true;
  const plan = sortPlan(query, hasPoints);
  const drawn = () => drawnOf(asked);
  const { ask, firstVectors } = asked;
  const ofWords = { ask, query, keyword, reading, unit, hasPoints, plan };
  return { ...ofWords, dimension, metric, drawn, spread, requester, firstVectors };
}

/** `given`: null: this index is searched alone. @throws AppError UNPROCESSABLE: what is not built */
export async function rank(
  parts: SearchParts,
  passing: Query,
  given: GivenScores | null = null,
): Promise<Ranked> {
  const both = sidesPartsOf(parts);
  if (!readsOwnScores(parts.query)) return await rankedBy(both, passing, given);
  const query = { ...parts.query, sort: [] };
  const ranked = await rankedBy({ ...both, query, plan: sortPlan(query) }, passing, given);
  return await orderedHere(both, ranked);
}

function rankedBy(both: BothParts, passing: Query, given: GivenScores | null): Promise<Ranked> {
  const { mode } = both.query;
  if (mode === 'hybrid') return rankedBoth(both, passing, given);
  return { keyword: rankedWords, vector: rankedVectors }[mode](both, passing, given?.scale ?? null);
}
