/**
 * Where one document stands in a search: its rank, or its group's and its own within it, and what its score is made of; or all that keeps it
 * out. Runs the search as far as its ranking, and then looks at this document alone: a pass over the candidates counts those before it.
 */
import { demandsUnmet } from '../../lexical/asked-phrases.ts';
import { reportOf } from '../../lexical/read-query.ts';
import type { KeywordReading } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { EngineAnswer, EngineHit, SearchQuery } from '../../types.ts';
import { distanceOf } from '../../vector/similarity.ts';
import { WorkBudget } from '../../work-budget.ts';
import { readFilters } from '../filter/passing-documents.ts';
import { type Findings, find, hasWords, nearnessOf } from '../find.ts';
import { GroupedList } from '../groups/grouped-list.ts';
import type { EngineGroup } from '../groups/grouping.ts';
import { hitsOf } from '../hits-of.ts';
import { checkNames } from '../names/check-names.ts';
import { PinnedList } from '../pinned-list.ts';
import { orderingOf, rank } from '../rank.ts';
import type { SearchParts } from '../search-parts.ts';
import { HitOrder, type IsBefore } from '../walk/hit-order.ts';
import { ranksAmong } from './explain-fusion.ts';
import { explainHits } from './explain-hits.ts';
import { type FilterLoss, filterLoss } from './filter-loss.ts';
import { type WordsLoss, wordsLoss } from './words-loss.ts';

interface VectorLoss {
  /** Null: the document has no vector, or the search none. */
  distance: number | null;
  /** Among all that pass the filters, from 1, the nearest first. */
  place: number | null;
  isNearEnough: boolean;
}

/** What keeps a document out. */
export type Loss =
  /** There is none with this id. */
  | { step: 'document' }
  /** An override hides it. */
  | { step: 'hidden' }
  | ({ step: 'filter' | 'ruleFilter' } & FilterLoss)
  /** It does not have a phrase of the query, or holds an exclusion: as it was typed. */
  | { step: 'phrase' | 'exclusion'; text: string }
  /** It is found, and is less relevant than is asked for. */
  | { step: 'relevance'; relevance: number; min: number }
  /** No side of the search puts it forward; null: the side has no part in the search. */
  | { step: 'sides'; words: WordsLoss | null; vector: VectorLoss | null };

/** Within a group. */
export interface GroupStanding extends Pick<EngineGroup, 'key' | 'found'> {
  /** From 1. */
  rank: number;
}

export type Standing = Pick<
  EngineAnswer,
  'found' | 'foundDocuments' | 'outOf' | 'matchRule' | 'droppedTokens' | 'correctedTokens'
> & {
  /** In the whole list, from 1, or where hits are grouped its group's; null: it is not in it. */
  rank: number | null;
  /** Null: hits are not grouped, or it is not in the list. */
  group: GroupStanding | null;
  hit: Pick<
    EngineHit,
    | 'score'
    | 'relevance'
    | 'textMatch'
    | 'vectorDistance'
    | 'isPinned'
    | 'passage'
    | 'distancesMeters'
    | 'explanation'
  > | null;
  /** In the order of the search; empty where it has a rank. */
  losses: Loss[];
};

/** @throws FieldNameError, FilterFaultError, TooDearError */
export function* standingOf(parts: SearchParts, query: SearchQuery, id: string): Steps<Standing> {
  checkNames(parts, query);
  const { documents } = parts;
  const alone = { reading: null, neighbours: null };
  const findings = yield* find(parts, query, alone);
  const ranked = yield* rank(parts, query, findings);
  const ranking = { ranked, findings };
  const pins = new PinnedList(ranked.candidates, findings.pinned);
  const { isBefore } = yield* HitOrder.of(pins.others, orderingOf(parts, query, ranking));
  const groups = yield* groupsOf(parts, query, { pins, isBefore });
  const told = {
    found: (groups?.heads ?? pins).all.count(),
    foundDocuments: pins.all.count(),
    outOf: documents.liveCount,
    matchRule: findings.keyword.rule,
    ...reportOf(findings.keyword.plan, [findings.keyword.held]),
  };
  const nowhere = { ...told, rank: null, group: null, hit: null };
  const ordinal = documents.ordinalOf(id);
  if (ordinal === undefined) return { ...nowhere, losses: [{ step: 'document' }] };
  const min = query.relevance?.min ?? null;
  if (!pins.all.has(ordinal) && ranked.all.has(ordinal) && ranked.relevanceOf !== null && min !== null)
    return { ...nowhere, losses: [{ step: 'relevance', relevance: ranked.relevanceOf(ordinal), min }] };
  if (!pins.all.has(ordinal))
    return { ...nowhere, losses: yield* lossesOf(parts, query, { findings, ordinal }) };
  const own = groups === null ? null : yield* groups.standingOf(ordinal, isBefore);
  const place = yield* placeOf(groups?.heads ?? pins, own?.head ?? ordinal, isBefore);
  const page = Int32Array.of(ordinal);
  const [hit] = yield* hitsOf(parts, { ...query, highlightFields: [] }, { ...ranking, page, pins });
  const [explanation] = yield* explainHits(parts, query, { ...ranking, page });
  return {
    ...told,
    rank: place + 1,
    group: own && { key: own.key, found: own.found, rank: own.rank },
    hit: hit && explanation ? shown(hit, explanation) : null,
    losses: [],
  };
}

function shown(
  { score, relevance, textMatch, vectorDistance, isPinned, passage, distancesMeters }: EngineHit,
  explanation: NonNullable<EngineHit['explanation']>,
): Standing['hit'] {
  const distances = distancesMeters && { distancesMeters };
  const told = relevance === undefined ? {} : { relevance };
  return { score, ...told, textMatch, vectorDistance, isPinned, passage, ...distances, explanation };
}

function* groupsOf(
  { columns, scratch, documents }: SearchParts,
  { group }: SearchQuery,
  { pins, isBefore }: { pins: PinnedList; isBefore: IsBefore },
): Steps<GroupedList | null> {
  if (group === null) return null;
  return yield* GroupedList.of(pins, group, { columns, scratch, capacity: documents.capacity, isBefore });
}

/** From 0. */
function* placeOf(list: PinnedList, ordinal: number, isBefore: IsBefore): Steps<number> {
  if (list.has(ordinal)) return list.placeOf(ordinal, 0);
  let before = 0;
  yield* list.others.visit((other) => {
    if (other !== ordinal && isBefore(other, ordinal)) before += 1;
  });
  return list.placeOf(ordinal, before);
}

export interface LostBy {
  reading: KeywordReading | null;
  id: string;
}

/** What keeps a document out of a search whose words were read elsewhere, by figures of an index of which this one may hold a part. */
export function* lossesBy(parts: SearchParts, query: SearchQuery, { reading, id }: LostBy): Steps<Loss[]> {
  const ordinal = parts.documents.ordinalOf(id);
  if (ordinal === undefined) return [{ step: 'document' }];
  const findings = yield* find(parts, query, { reading, neighbours: null });
  return yield* lossesOf(parts, query, { findings, ordinal });
}

function* lossesOf(
  parts: SearchParts,
  query: SearchQuery,
  { findings, ordinal }: { findings: Findings; ordinal: number },
): Steps<Loss[]> {
  const { documents, lexical, columns } = parts;
  const losses: Loss[] = [];
  if (query.excludeIds.includes(documents.idOf(ordinal))) losses.push({ step: 'hidden' });
  const scope = { documents, lexical, columns, budget: new WorkBudget('filter') };
  const { node, ruleNode } = readFilters(columns, query);
  const filtered = yield* filterLoss(node, scope, ordinal);
  if (filtered !== null) losses.push({ step: 'filter', ...filtered });
  const ruledOut = yield* filterLoss(ruleNode, scope, ordinal);
  if (ruledOut !== null) losses.push({ step: 'ruleFilter', ...ruledOut });
  const unmet = yield* demandsUnmet(parts, query, ordinal);
  for (const { kind, text } of unmet) losses.push({ step: kind, text });
  // What the sides would make of a document is found out among those that are admitted.
  if (unmet.length > 0) return losses;
  const hasWordSide = query.mode === 'keyword' || (query.mode === 'hybrid' && query.alpha < 1);
  const hasVectorSide = query.mode === 'vector' || (query.mode === 'hybrid' && query.alpha > 0);
  if (hasWordSide && findings.keyword.matched.has(ordinal)) return losses;
  const words =
    hasWordSide && hasWords(query)
      ? yield* wordsLoss(parts, query, { keyword: findings.keyword, ordinal })
      : null;
  // Neighbours are chosen among those that pass: of others it is not known yet whether they are near enough.
  if (losses.length > 0 && hasVectorSide) return losses;
  const vector = hasVectorSide ? yield* vectorLoss(parts, query, { findings, ordinal }) : null;
  return [...losses, { step: 'sides', words, vector }];
}

function* vectorLoss(
  { documents, settings }: SearchParts,
  query: SearchQuery,
  { findings, ordinal }: { findings: Findings; ordinal: number },
): Steps<VectorLoss> {
  const { vector } = findings;
  const similarity = vector?.similarityOf(ordinal) ?? Number.NEGATIVE_INFINITY;
  if (vector === null || similarity === Number.NEGATIVE_INFINITY)
    return { distance: null, place: null, isNearEnough: false };
  const ordinals = yield* vector.passes.ordinals();
  const scores = new Float64Array(ordinals.length);
  yield* vector.scoresOf(ordinals, scores);
  const { isBefore } = documents;
  const ranks = yield* ranksAmong({ ordinals, scores, isBefore }, Int32Array.of(ordinal));
  return {
    distance: distanceOf(query.metric ?? settings.metric, similarity),
    place: ranks.get(ordinal) ?? null,
    isNearEnough: nearnessOf(query, settings)(similarity),
  };
}
