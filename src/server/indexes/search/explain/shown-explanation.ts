import type { Explanation } from '#server/engine/search-index.ts';
import type { FusedSide, HitExplanation } from '#shared/explain.ts';

type Words = NonNullable<Explanation['words']>;
type Fusion = NonNullable<Explanation['fusion']>;

/** What a score is made of, in the contract's words. */
export function shownExplanation(explanation: Explanation): HitExplanation {
  const { keywordScore, vectorScore, words, similarity, fusion, pinnedAt } = explanation;
  return {
    parts: {
      ...(keywordScore !== null && { keyword: keywordScore }),
      ...(vectorScore !== null && { vector: vectorScore }),
    },
    ...(words && { keyword: shownWords(words) }),
    ...(similarity && {
      vector: {
        similarity: similarity.similarity,
        distance: similarity.distance,
        neighbour: similarity.isNeighbour,
      },
    }),
    ...(fusion && {
      fusion: { ...fusion, keyword: shownSide(fusion.keyword), vector: shownSide(fusion.vector) },
    }),
    ...(pinnedAt !== null && { pinned_at: pinnedAt }),
  };
}

function shownWords({
  score,
  length,
  meanLength,
  words,
  missing,
  wholeTitle,
  coverage,
}: Words): NonNullable<HitExplanation['keyword']> {
  return {
    score,
    length,
    mean_length: meanLength,
    words: words.map(({ matches, ...word }) => ({ ...word, matches: matches.map(shownMatch) })),
    missing,
    ...(wholeTitle > 0 && { whole_title: wholeTitle }),
    coverage,
  };
}

function shownMatch({ kind, typos, fieldWeight, ...match }: Words['words'][number]['matches'][number]) {
  return { ...match, as: kind, ...(typos > 0 && { typos }), field_weight: fieldWeight };
}

function shownSide({ value, rank }: Fusion['keyword']): FusedSide {
  return rank === null ? { value } : { value, rank };
}
