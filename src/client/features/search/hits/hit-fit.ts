import type { MergedSearchHit } from '#shared/search.ts';

/**
 * Whether a hit fits what was asked, which its place in a list does not say: something is always first. It does when it holds most of the words, or when its
 * meaning is near. What is near was chosen by hand, over 26 queries of the three sample sets in 384 dimensions: most of what people would call a good
 * answer is above, nonsense below; a question about something like what there is may still pass.
 */
const nearMin = 0.28;
/** Of the query's words. */
const heldMin = 0.6;

type Explained = Pick<MergedSearchHit, 'explain' | 'curated'>;

/** Null: it cannot be told. `isCosine`: similarities of other metrics have another scale. */
export function fits({ explain, curated }: Explained, isCosine: boolean): boolean | null {
  if (curated) return true;
  if (!explain) return null;
  const { keyword, vector } = explain;
  if (vector && !isCosine) return null;
  if (vector && vector.similarity >= nearMin) return true;
  const held = keyword?.words.length ?? 0;
  const wanted = held + (keyword?.missing.length ?? 0);
  return held > 0 && held >= wanted * heldMin;
}

/** How many hits from the first one on belong to what fits; null: none is to be set apart. */
export function fittingCount(hits: Explained[], isCosine: boolean): number | null {
  const judged = hits.map((hit) => fits(hit, isCosine));
  if (hits.length === 0 || judged.includes(null)) return null;
  const last = judged.lastIndexOf(true);
  return last === hits.length - 1 ? null : last + 1;
}
