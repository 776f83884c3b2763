import type { Sql } from 'postgres';
import type { Candidates, PickedHits } from '#server/engine/merged-types.ts';
import { textShare } from '#server/engine/search-index.ts';
import type { EngineHit, SearchQuery } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { PartClock } from '#server/indexes/host/part-clock.ts';
import { mergedHitTexts } from '#server/indexes/search/search-hit.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { bestMax, bestOfBoth, sidesOf, spreadIn } from './both-sides.ts';
import { explainPage } from './explained-page.ts';
import { nearestPassing } from './neighbours.ts';
import type { AskedVersion } from './opened-index.ts';
import { pickedHits } from './page-hits.ts';
import type { PlacedHit } from './placed-hits.ts';
import { prepareSearch, rank, sidesPartsOf } from './prepare-search.ts';
import { nothing } from './query.ts';
import { rankedPage } from './ranked-page.ts';
import { matchedQuery, plainHit } from './ranked-words.ts';
import { countFacets, heldWords } from './search-cluster.ts';

/** An index's part in a search over several: the steps of the embedded engine's `merged-steps.ts`, asked of the cluster. */

interface MergedParts {
  asked: AskedVersion;
  sql: Sql;
  unit: number;
}

export async function tellSides(
  { asked, unit }: MergedParts,
  { query, reading }: EngineRequest<'tellSides'>,
): Promise<EngineReply<'tellSides'>> {
  const progress = new PartClock();
  const { parts, passing } = await prepareSearch(asked, query, { unit, reading, progress });
  progress.part = 'vector';
  const both = sidesPartsOf(parts);
  const matched = query.mode === 'vector' ? nothing : matchedQuery(both, passing);
  const near = nearestPassing(both, passing, bestMax(query));
  const [best, spread] = await Promise.all([bestOfBoth(both, matched, near), spreadIn(both)]);
  return { ...sidesOf(both, best, spread), times: progress.times };
}

export async function rankShared(
  { asked, unit }: MergedParts,
  { query: given, agreement }: EngineRequest<'rankShared'>,
): Promise<EngineReply<'rankShared'>> {
  const query = { ...given, k: agreement.neighbours ?? given.k };
  const progress = new PartClock();
  const { reading } = agreement;
  const { parts, passing } = await prepareSearch(asked, query, { unit, reading, progress });
  progress.part = query.mode === 'keyword' ? 'ranking' : 'vector';
  const ranked = await rank(parts, passing, agreement);
  progress.part = 'ranking';
  const [page, facets, held] = await Promise.all([
    rankedPage(asked.ask, ranked, { offset: query.offset, limit: query.limit, without: [], after: null }),
    countFacets(parts, ranked),
    heldWords(parts),
  ]);
  const { found, hits } = page;
  const candidates: Candidates = {
    found,
    outOf: asked.documentCount,
    ids: hits.map(({ id }) => id),
    scores: Float64Array.from(hits, ({ score }) => score),
    relevances: Float64Array.from(hits, ({ score }) => ranked.told?.relevanceOf(score) ?? Number.NaN),
    textMatches: Float64Array.from(hits, ({ textMatch }) => textMatch),
    coverages: Float64Array.from(hits, ({ coverage }) => coverage),
    facets,
    areNeighbours: Uint8Array.from(hits, ({ isNeighbour }) => Number(isNeighbour)),
    fits: null,
    held,
  };
  return { ...candidates, times: progress.times };
}

export async function hitsOfPicked(
  { asked, sql, unit }: MergedParts,
  { query, agreement, picked, ...shown }: EngineRequest<'hitsOfPicked'>,
): Promise<EngineReply<'hitsOfPicked'>> {
  const progress = new PartClock();
  progress.part = 'highlights';
  const hits = await pickedHits({ asked, sql }, { agreement, picked }, { query, ...shown });
  if (query.isExplained === true) {
    const { reading } = agreement;
    const { parts } = await prepareSearch(asked, query, { unit, reading, progress: { part: null } });
    progress.part = 'explain';
    await explainPage(parts, pickedPage(query, { agreement, picked }, hits), hits);
  }
  progress.part = 'answer';
  const texts = await stepsInTurns(asked.collection.for, mergedHitTexts(hits, shown));
  return { ...texts, times: progress.times };
}

/** As they were ranked: what the vector has added is what the words have not, or where hits lift each other what the page's documents say of it. */
function pickedPage(
  { mode, alpha }: SearchQuery,
  { agreement: { scale, support }, picked }: PickedHits,
  hits: (EngineHit | null)[],
): PlacedHit[] {
  const { scores, textMatches, coverages, areNeighbours } = picked;
  return picked.ids.map((id, i) => {
    const [score, text, coverage] = [scores[i] ?? 0, textMatches[i] ?? 0, coverages[i] ?? 0];
    const isMatch = text > 0 || areNeighbours[i] === 0;
    const keyword = mode !== 'hybrid' || scale === null ? 0 : textShare(scale, { text, coverage, isMatch });
    const rest = alpha > 0 ? (score - (1 - alpha) * keyword) / alpha : 0;
    const vector = support === null ? rest : (hits[i]?.explanation?.fusion?.vector.value ?? 0);
    const fused = {
      keyword: { value: keyword, rank: null },
      vector: { value: vector, rank: null },
      support: support?.weight ?? 0,
    };
    const isNeighbour = areNeighbours[i] === 1;
    return { ...plainHit(id, text), score, coverage, isNeighbour, fused, isPinned: false, pinnedAt: null };
  });
}
