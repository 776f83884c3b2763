import type { Bitset } from '../bits/bitset.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { QueryWord } from '../lexical/query-words.ts';
import type { NearWord, WordFigures } from '../merged-types.ts';
import { textParts } from '../text/analyzer.ts';

interface AskedWord {
  word: QueryWord;
  figures: Omit<WordFigures, 'indexes'>;
  near: readonly NearWord[];
}

interface Asked {
  /** With the figures of all indexes. */
  words: AskedWord[];
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
  const asked = finding.filter(({ word }) => !analyzer.stopWords.has(word.text));
  const meant = meantBy(finding, asked.length < 2);
  const isWhole = (tokens: string[]) => {
    const terms = tokens.map((token) => dictionary.termForQuery(token));
    const telling = tokens.filter((token) => !analyzer.stopWords.has(token)).length;
    return (
      telling === asked.reduce((sum, { word }) => sum + word.count, 0) &&
      finding.every(({ word }, i) =>
        [...(meant[i] ?? [])].some((term) => terms.filter((each) => each === term).length >= word.count),
      )
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

/** The terms that each word may be, unless too many documents hold any of them, whichever word is taken. */
function meantBy(words: AskedWord[], isOnly: boolean): Set<number>[] {
  const all = words.map((each) => (isOnly ? onlyWord(each) : oneOfSeveral(each)));
  const isRead = all.some(({ documents }) => documents <= 4_096);
  return all.map(({ terms }, i) => {
    const { word, figures } = words[i] as AskedWord;
    return isRead ? terms : new Set(figures.own > 0 ? [word.exact.own] : []);
  });
}

interface Meant {
  terms: Set<number>;
  documents: number;
}

const isNamed = ({ synonyms }: QueryWord) => synonyms.some(({ isBreak }) => !isBreak);

function onlyWord({ word, figures: { own, exact }, near }: AskedWord): Meant {
  if (own > 0 || isNamed(word)) return { terms: new Set(own > 0 ? [word.exact.own] : []), documents: own };
  if (exact > 0) return { terms: new Set(word.text.length >= 3 ? word.exact.longer : []), documents: exact };
  const isNearest = ({ distance }: { distance: number }) =>
    distance === Math.min(...near.map((each) => each.distance));
  return {
    terms: new Set(word.neighbours.filter(isNearest).map(({ term }) => term)),
    documents: near.filter(isNearest).reduce((sum, { documents }) => sum + documents, 0),
  };
}

function oneOfSeveral({ word, figures: { own, exact }, near }: AskedWord): Meant {
  const itself = own > 0 ? [word.exact.own] : [];
  if (isNamed(word)) return { terms: new Set(itself), documents: own };
  const isBegun = word.text.length >= 3 && (own === 0 || word.exact.longer.length <= 128);
  return {
    terms: new Set([
      ...itself,
      ...(isBegun ? word.exact.longer : []),
      ...word.neighbours.map(({ term }) => term),
    ]),
    documents: (isBegun ? exact : own) + near.reduce((sum, { documents }) => sum + documents, 0),
  };
}
