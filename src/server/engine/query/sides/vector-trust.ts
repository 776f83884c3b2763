import { idf } from '../../lexical/bm25.ts';
import type { QueryWord } from '../../lexical/query-words.ts';
import { figuresOf } from '../../lexical/read-query.ts';
import { wordWeight } from '../../lexical/word-weight.ts';
import type { KeywordFigures } from '../../merged-types.ts';
import type { SearchQuery } from '../../types.ts';

/** Just enough that the nearest stand in their order behind what the words find. */
const trustMin = 0.02;

export interface WordsRead {
  words: readonly Pick<QueryWord, 'count' | 'share'>[];
  /** Null: the search has no words. */
  totals: KeywordFigures | null;
}

/**
 * How far the vector of a hybrid search stands for what is meant, 0 to 1: as far as its model reads the text, as no documents show that a word is
 * misspelt or unfinished, and less where documents hold all words. Words are read as their neighbours and as what they begin; a model reads what was typed. A vector that is
 * not made of the text stands for itself.
 */
export function vectorTrust(
  { alpha, vectorTrust: trust, ranking }: Pick<SearchQuery, 'alpha' | 'vectorTrust' | 'ranking'>,
  read: WordsRead,
): number {
  if (alpha === 1 || trust === null) return 1;
  const beside = (read.totals?.full ?? 0) > 0 ? 1 - ranking.certainWords : 1;
  return Math.max(trustMin, trust * ownShare(read, ranking) * beside);
}

/** The share of the words' weight that is not of words which nobody holds but as a neighbour, or as the beginning of longer ones. */
function ownShare({ words, totals }: WordsRead, ranking: SearchQuery['ranking']): number {
  if (totals === null) return 1;
  const { documents } = totals;
  let own = 0;
  let all = 0;
  words.forEach((word, place) => {
    const figures = figuresOf(totals, place);
    const isHeld = figures.exact > 0;
    // One that nobody holds weighs as the rarest there can be.
    const weight = isHeld
      ? wordWeight(word, { figures, documents }, ranking)
      : word.count * word.share * idf(documents, 0);
    all += weight;
    if (figures.own > 0 || (!isHeld && figures.near === 0)) own += weight;
  });
  return all > 0 ? own / all : 1;
}
