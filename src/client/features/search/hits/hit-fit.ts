import type { HitExplanation } from '#shared/explain.ts';
import type { MergedSearchHit } from '#shared/search.ts';

/**
 * Whether a hit fits what was asked, which its place in a list does not say: something is always first. It does when what it covers of the words and how near its
 * meaning is are enough together. How much that is was chosen on the natural queries of the three samples and on those that nothing there answers
 * (`npm run eval -- natural` tells how well it does), by the built-in models: a question about something like what there is may still pass.
 */
const enough = 0.45;
/** What holding all words adds to a similarity. */
const coverageShare = 0.5;
/** Of a search by one side alone. */
const nearMin = 0.32;
const coverageMin = 0.5;
/** By what is judged in the collection, where that is fitted: as likely relevant as not. */
const relevanceMin = 0.5;

type Explained = Pick<MergedSearchHit, 'explain' | 'curated' | 'relevance'>;

interface FitScale {
  /** Whether similarities are those that the constants were chosen on: cosines of the built-in models. Others have another scale. */
  isOwnScale: boolean;
  /** Words that may be meant as they were typed, and that hits hold only as other words: `chess` as `chest`. */
  misread?: readonly string[];
}

/** Null: it cannot be told. */
export function fits(
  { explain, curated, relevance = 0 }: Explained,
  { isOwnScale, misread = [] }: FitScale,
): boolean | null {
  if (curated || relevance >= relevanceMin) return true;
  if (!explain) return null;
  const { keyword, vector, fusion } = explain;
  if (vector && !isOwnScale) return null;
  const coverage = keyword ? coverageBut(misread, keyword) : 0;
  if (!vector) return coverage >= coverageMin;
  return fusion ? vector.similarity + coverageShare * coverage >= enough : vector.similarity >= nearMin;
}

/** How many hits from the first one on belong to what fits; null: none is to be set apart. */
export function fittingCount(hits: Explained[], scale: FitScale): number | null {
  const judged = hits.map((hit) => fits(hit, scale));
  if (hits.length === 0 || judged.includes(null)) return null;
  const last = judged.lastIndexOf(true);
  return last === hits.length - 1 ? null : last + 1;
}

/** What a hit covers of the query without these words. */
function coverageBut(
  misread: readonly string[],
  { words, coverage }: NonNullable<HitExplanation['keyword']>,
): number {
  const weightOf = (some: typeof words) => some.reduce((sum, { weight }) => sum + weight, 0);
  const all = weightOf(words);
  return all === 0
    ? coverage
    : coverage * (1 - weightOf(words.filter(({ word }) => misread.includes(word))) / all);
}
