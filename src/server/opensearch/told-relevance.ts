import type { KeywordReading, Scale } from '#server/engine/merged-types.ts';
import { relevanceFacts, relevanceOf, sharedScore } from '#server/engine/search-index.ts';
import type { RelevanceFigures, SearchQuery } from '#server/engine/types.ts';

/** How relevant the hits of a search are: within it a growing function of their scores. */
export interface ToldRelevance {
  figuresOf: (score: number) => RelevanceFigures;
  relevanceOf: (score: number) => number;
  isEnough: (score: number) => boolean;
  /** The least score that is enough; −Infinity: any is, Infinity: none. */
  scoreMin: number;
}

type Asked = Pick<SearchQuery, 'mode' | 'ranking' | 'vector' | 'relevance'>;

/** Null: it is not told of such a search. */
export function toldRelevance(
  { mode, ranking, vector, relevance }: Asked,
  { reading, scale }: { reading: KeywordReading | null; scale: Scale | null },
): ToldRelevance | null {
  if (!relevance || scale === null || (reading === null && vector === null)) return null;
  const { model, min } = relevance;
  const facts = relevanceFacts(
    { plan: reading?.words ?? [], totals: reading?.totals ?? null },
    scale,
    ranking,
  );
  const figuresOf = (score: number) => ({ ...facts, score: sharedScore(mode, scale, score) });
  const told = (score: number) => relevanceOf(model, figuresOf(score));
  const common = model.base + model.words * facts.words + model.nearest * facts.nearest;
  return {
    figuresOf,
    relevanceOf: told,
    isEnough: (score) => min === null || told(score) >= min,
    scoreMin:
      min === null
        ? Number.NEGATIVE_INFINITY
        : leastScore({ min, common, weight: model.score }, unitOf(mode, scale)),
  };
}

/** A share of 1 as a score of words, or of both. */
function unitOf(mode: SearchQuery['mode'], { textMax }: Scale): number {
  return mode === 'keyword' ? textMax : 1;
}

function leastScore(
  { min, common, weight }: { min: number; common: number; weight: number },
  unit: number,
): number {
  const wanted = Math.log(min / (1 - min)) - common;
  if (wanted <= 0) return Number.NEGATIVE_INFINITY;
  return weight > 0 && unit > 0 ? (wanted / weight) * unit : Number.POSITIVE_INFINITY;
}
