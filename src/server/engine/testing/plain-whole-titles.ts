import type { Bitset } from '../bits/bitset.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { QueryWord } from '../lexical/query-words.ts';
import type { WordFigures } from '../merged-types.ts';
import { textParts } from '../text/analyzer.ts';

interface Asked {
  /** With the figures of all indexes. */
  words: { word: QueryWord; figures: Omit<WordFigures, 'indexes'> }[];
  live: Bitset;
  weights: Float64Array | null;
  sourceOf: (ordinal: number) => string;
}

/** Documents with a title of the words and no others, by reading every title. What `lexical/whole-titles.ts` answers is held against it. */
export function plainWholeTitles(index: LexicalIndex, { words, live, weights, sourceOf }: Asked): number[] {
  const finding = words.filter(({ word }) => !word.isBeginningOnly);
  const { analyzer, dictionary } = index;
  const tokensOf = (text: string) =>
    [...textParts(text, analyzer.words)].flatMap(({ words: tokens }) => tokens);
  const isWhole = (tokens: string[]) => {
    const terms = tokens.map((token) => dictionary.termForQuery(token));
    const telling = tokens.filter((token) => !analyzer.stopWords.has(token)).length;
    const asked = finding.filter(({ word }) => !analyzer.stopWords.has(word.text));
    return (
      telling === asked.reduce((sum, { word }) => sum + word.count, 0) &&
      finding.every(({ word, figures }) => {
        const meant = termsOf(word, figures);
        return [...meant].some((term) => terms.filter((each) => each === term).length >= word.count);
      })
    );
  };
  const found: number[] = [];
  live.forEach((ordinal) => {
    const document = JSON.parse(sourceOf(ordinal)) as Record<string, unknown>;
    const isTitled = ['title', 'name'].some((name) => {
      const field = index.fieldNumber(name);
      const text = document[name];
      if (typeof text !== 'string' || field < 0) return false;
      return (weights === null || (weights[field] ?? 0) > 0) && isWhole(tokensOf(text));
    });
    if (isTitled && finding.length > 0) found.push(ordinal);
  });
  return found;
}

function termsOf(
  { text, exact, synonyms, neighbours }: QueryWord,
  { own, exact: exactly, near }: Omit<WordFigures, 'indexes'>,
): Set<number> {
  if (own > 0) return new Set([exact.own]);
  if (!synonyms.every(({ isBreak }) => isBreak) || (exactly || near) > 4_096) return new Set();
  if (exactly > 0) return new Set(text.length >= 3 ? exact.longer : []);
  const nearest = Math.min(...neighbours.map(({ distance }) => distance));
  return new Set(neighbours.filter(({ distance }) => distance === nearest).map(({ term }) => term));
}
