/**
 * One search: filter → keyword matches and nearest neighbours → candidates and scores → pins → order → page, facets, highlights.
 * One truth for counts: `found`, facets and every page speak of the same candidate set. Every order ends in the id, so pages never
 * repeat or drop a hit.
 */
import type { Bitset } from '../bits/bitset.ts';
import type { KeywordMatches } from '../lexical/keyword-search.ts';
import { reportOf } from '../lexical/read-query.ts';
import type { Steps } from '../steps.ts';
import type { EngineAnswer, EngineFacet, SearchQuery } from '../types.ts';
import type { Explanation } from './explain/explanation.ts';
import { countFacets } from './facets/count-facets.ts';
import { passingBeside } from './filter/passing-documents.ts';
import { type Findings, find, findAmong } from './find.ts';
import { fitsOf, nothingFits, setFit } from './fit.ts';
import { candidatesOf } from './fuse.ts';
import { hitsOf } from './hits-of.ts';
import { listHits } from './list-hits.ts';
import { checkNames } from './names/check-names.ts';
import { PinnedList } from './pinned-list.ts';
import { orderingOf, type Ranking, rank } from './rank.ts';
import type { SearchParts } from './search-parts.ts';

/** Of an index that is searched for itself. */
const alone = { reading: null, neighbours: null };

/** Takes the scores of a page's hits apart, in its order. */
export type ExplainHits = (
  parts: SearchParts,
  query: SearchQuery,
  page: Ranking & { page: Int32Array },
) => Steps<Explanation[]>;

/** @throws FieldNameError, FilterFaultError, TooDearError, AnswerTooLargeError */
export function* runSearch(
  parts: SearchParts,
  query: SearchQuery,
  explain: ExplainHits | null = null,
): Steps<EngineAnswer> {
  const { documents, progress } = parts;
  checkNames(parts, query);
  const findings = yield* find(parts, query, alone);
  const ranked = yield* rank(parts, query, findings);
  const pins = new PinnedList(ranked.candidates, findings.pinned);
  if (query.group !== null) progress.part = 'groups';
  const { page, ...listed } = yield* listHits(pins, query, orderingOf(parts, query, { ranked, findings }));
  const hits = yield* hitsOf(parts, query, { page, ranked, findings, pins });
  const fitting = (yield* fitsOf(parts, query, { page, ranked, findings })) ?? [];
  if (explain !== null) progress.part = 'explain';
  const explained = explain === null ? [] : yield* explain(parts, query, { page, ranked, findings });
  hits.forEach((hit, place) => {
    const explanation = explained[place];
    if (explanation !== undefined) hit.explanation = explanation;
    setFit(hit, fitting[place]);
  });
  return {
    ...listed,
    foundDocuments: pins.all.count(),
    outOf: documents.liveCount,
    hits,
    nothingFits: nothingFits(query, fitting),
    facets: yield* facetsOf(parts, query, { findings, candidates: pins.all }),
    matchRule: findings.keyword.rule,
    ...reportOf(findings.keyword.plan, [findings.keyword.held]),
  };
}

export function* facetsOf(
  parts: SearchParts,
  query: SearchQuery,
  { findings, candidates }: { findings: Findings; candidates: Bitset },
): Steps<EngineFacet[]> {
  const { columns, progress } = parts;
  if (query.facets.length === 0) return [];
  progress.part = 'facets';
  const byField = new Map<string, Bitset>();
  if (query.areFacetsDisjunctive) {
    const fields = new Set(query.facets.map(({ field }) => field));
    for (const [field, passing] of yield* passingBeside(parts, query, fields))
      byField.set(field, yield* candidatesAmong(parts, query, { keyword: findings.keyword, passing }));
    progress.part = 'facets';
  }
  return yield* countFacets(candidates, { ...query, candidatesOf: byField }, columns);
}

/** What the candidates were if these documents passed the filter. */
function* candidatesAmong(
  parts: SearchParts,
  query: SearchQuery,
  given: { keyword: KeywordMatches; passing: Bitset },
): Steps<Bitset> {
  const findings = yield* findAmong(parts, query, given);
  const { matched, neighbours, pinned } = findings;
  // Which have enough relevance is known from their scores alone. Those of the hits are not asked for any more.
  if (query.relevance?.min != null)
    return new PinnedList((yield* rank(parts, query, findings)).candidates, pinned).all;
  const found = { keyword: matched, vector: neighbours, hybrid: null }[query.mode];
  return new PinnedList(found ?? candidatesOf({ matched, neighbours }, query.alpha), pinned).all;
}
