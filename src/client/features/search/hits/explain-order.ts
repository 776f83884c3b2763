import type { HitExplanation } from '#shared/explain.ts';
import type { MergedSearchHit } from '#shared/search.ts';

/** What each side adds to a score. */
export interface ScoreParts {
  words: number;
  meaning: number;
}

export function partsOf({ parts }: HitExplanation): ScoreParts {
  return { words: parts.keyword ?? 0, meaning: parts.vector ?? 0 };
}

type Explained = Pick<MergedSearchHit, 'score' | 'explain' | 'curated'>;

/** Smaller differences are not seen with three decimals. */
const seen = 0.0005;

/** In a sentence: why a hit stands below the one above it; null: its order does not come from scores. */
export function whyBelow(above: Explained & { title: string }, hit: Explained): string | null {
  if (!above.explain || !hit.explain || above.curated || hit.curated || above.score < hit.score) return null;
  const [upper, lower] = [partsOf(above.explain), partsOf(hit.explain)];
  const words = lower.words - upper.words;
  const meaning = lower.meaning - upper.meaning;
  const difference = above.score - hit.score;
  const head = `Below “${above.title}”`;
  if (difference < seen) return `${head} only by their ids: the scores are alike.`;
  const lacks = lackedWords(above.explain, hit.explain);
  const sides = [
    ...(Math.abs(words) < seen ? [] : [`${said(words)} from words`]),
    ...(Math.abs(meaning) < seen ? [] : [`${said(meaning)} from meaning`]),
  ];
  const because = lacks.length > 0 ? `; it does not hold ${lacks.map((word) => `“${word}”`).join(', ')}` : '';
  return `${head} by ${difference.toFixed(3)}: ${sides.join(', ')}${because}.`;
}

function said(difference: number): string {
  return `${Math.abs(difference).toFixed(3)} ${difference > 0 ? 'more' : 'less'}`;
}

const lackedMax = 3;

/** Words that the hit above holds and this one does not. */
function lackedWords(above: HitExplanation, hit: HitExplanation): string[] {
  const own = new Set(hit.keyword?.words.map(({ word }) => word));
  return (above.keyword?.words ?? [])
    .map(({ word }) => word)
    .filter((word) => !own.has(word))
    .slice(0, lackedMax);
}
