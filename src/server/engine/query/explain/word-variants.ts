/**
 * How much each thing counts that stands for a word of a query: as the search has decided from how many documents hold the word. The
 * rules are those of `word-reader.ts`, written down for one word at a time.
 */

import type { QueryWord } from '../../lexical/query-words.ts';
import { countedSynonyms, shareInSteps, synonymShareOf } from '../../lexical/variants.ts';
import { wordWeight } from '../../lexical/word-weight.ts';
import type { WordFigures } from '../../merged-types.ts';
import type { Ranking } from '../../types.ts';
import type { MatchKind } from './explanation.ts';

/** One term, or several in a row, that stand for a word. */
export interface Variant {
  kind: MatchKind;
  typos: number;
  share: number;
  terms: readonly number[];
  /** How it is written; null: as its term. */
  text: string | null;
}

export interface ReadWord {
  /** Documents that hold it. */
  documents: number;
  weight: number;
  /** What its frequencies are divided by. */
  largestShare: number;
  /** Those that count, each term once. */
  variants: Iterable<Variant>;
}

export function readWord(
  word: QueryWord,
  { figures, documents }: { figures: WordFigures; documents: number },
  ranking: Ranking,
): ReadWord {
  const typoShareOf = (typos: number) => shareInSteps(ranking.typoShares[typos] ?? 0);
  const weight = wordWeight(word, { figures, documents }, ranking);
  if (figures.exact === 0) {
    return {
      documents: figures.near,
      weight,
      largestShare: typoShareOf(figures.nearest) || 1,
      variants: neighbours(word, typoShareOf),
    };
  }
  const prefixShare = shareInSteps(ranking.prefixShare);
  const holding = figures.own || figures.exact;
  return {
    documents: holding,
    weight,
    largestShare: figures.own > 0 ? 1 : prefixShare,
    variants: allOf(word, { prefixShare, ranking, typoShareOf }),
  };
}

interface Shares {
  prefixShare: number;
  ranking: Ranking;
  typoShareOf: (typos: number) => number;
}

function* allOf(word: QueryWord, { prefixShare, ranking, typoShareOf }: Shares): Generator<Variant> {
  const { own, longer } = word.exact;
  if (own >= 0) yield { kind: 'word', typos: 0, share: 1, terms: [own], text: word.text };
  const alone = new Set<number>();
  for (const synonym of countedSynonyms(word.synonyms)) {
    const { terms } = synonym;
    if (terms.length === 1) for (const term of terms) alone.add(term);
    yield { kind: 'synonym', typos: 0, share: synonymShareOf(synonym, ranking), terms, text: null };
  }
  for (const term of longer)
    if (!alone.has(term)) yield { kind: 'prefix', typos: 0, share: prefixShare, terms: [term], text: null };
  yield* neighbours(word, typoShareOf);
}

/** The nearest of those that share a term. */
function* neighbours(word: QueryWord, typoShareOf: (typos: number) => number): Generator<Variant> {
  const seen = new Set<number>();
  for (const { term, distance, word: text } of word.neighbours) {
    if (seen.has(term)) continue;
    seen.add(term);
    yield { kind: 'typo', typos: distance, share: typoShareOf(distance), terms: [term], text };
  }
}
