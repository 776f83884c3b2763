import type { Sql } from 'postgres';
import type { Candidates } from '#server/engine/merged-types.ts';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { mergedHitTexts } from '#server/indexes/search/search-hit.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { assertBuilt } from './assert-built.ts';
import { bestOfBoth, sidesOf } from './both-sides.ts';
import type { AskedVersion } from './opened-index.ts';
import { pickedHits } from './page-hits.ts';
import { prepareSearch, rank, sidesPartsOf } from './prepare-search.ts';
import { nothing } from './query.ts';
import { rankedPage } from './ranked-page.ts';
import { matchedQuery } from './ranked-words.ts';
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
  assertBuilt(query);
  const { parts, passing } = await prepareSearch(asked, query, { unit, reading });
  const both = sidesPartsOf(parts);
  const matched = query.mode === 'vector' ? nothing : matchedQuery(both, passing);
  return { ...(await sidesOf(both, await bestOfBoth(both, matched, passing))), times: {} };
}

export async function rankShared(
  { asked, unit }: MergedParts,
  { query: given, agreement }: EngineRequest<'rankShared'>,
): Promise<EngineReply<'rankShared'>> {
  assertBuilt(given);
  const query = { ...given, k: agreement.neighbours ?? given.k };
  const { parts, passing } = await prepareSearch(asked, query, { unit, reading: agreement.reading });
  const ranked = await rank(parts, passing, agreement.scale);
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
    held,
  };
  return { ...candidates, times: {} };
}

export async function hitsOfPicked(
  { asked, sql }: MergedParts,
  { query, agreement, picked, ...shown }: EngineRequest<'hitsOfPicked'>,
): Promise<EngineReply<'hitsOfPicked'>> {
  const hits = await pickedHits({ asked, sql }, { agreement, picked }, { query, ...shown });
  const texts = await stepsInTurns(asked.collection.for, mergedHitTexts(hits, shown));
  return { ...texts, times: {} };
}
