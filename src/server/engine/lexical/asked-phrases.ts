/**
 * What a query demands of every hit, whatever else is searched for: its phrases, and that nothing of its exclusions is held. A word is
 * compared as everywhere, by its stem; a phrase is its words in a row in one text of a searched field, stop words too.
 */
import type { Bitset } from '../bits/bitset.ts';
import type { Steps } from '../steps.ts';
import { type Analyzer, phraseWords, queryWords } from '../text/analyzer.ts';
import { type QueryPart, readSyntax } from '../text/query-syntax.ts';
import type { SearchQuery } from '../types.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PhraseFinder, type SearchedDocuments } from './phrase-finder.ts';
import type { TermDictionary } from './term-dictionary.ts';

export interface AskedPhrase extends QueryPart {
  kind: 'phrase' | 'exclusion';
  /** Folded; at least one. */
  words: readonly string[];
}

/** As typed, those with words alone. */
export function askedPhrases(text: string, analyzer: Analyzer): AskedPhrase[] {
  return readSyntax(text).parts.flatMap(({ kind, text: own }): AskedPhrase[] => {
    if (kind === 'words') return [];
    const asked = queryWords(own, analyzer.words);
    // One word is looked for as ever: `C++` is no `C`.
    const words = asked.length === 1 ? asked : phraseWords(own, analyzer.words);
    return words.length === 0 ? [] : [{ kind, text: own, words }];
  });
}

/** −1: no document ever held the word. */
export function termsOf(dictionary: TermDictionary, { words }: AskedPhrase): number[] {
  return words.map((word) => dictionary.termForQuery(word));
}

interface Parts {
  lexical: LexicalIndex;
  documents: SearchedDocuments;
}

/** Living documents that have all phrases and none of the exclusions; null: the query has neither. @throws TooDearError */
export function* admittedDocuments(
  parts: Parts,
  query: Pick<SearchQuery, 'text' | 'fields' | 'ranking'>,
): Steps<Bitset | null> {
  const asked = askedPhrases(query.text, parts.lexical.analyzer);
  if (asked.length === 0) return null;
  const finder = finderOf(parts, query);
  const { dictionary } = parts.lexical;
  const demands = asked.map((phrase) => ({
    terms: termsOf(dictionary, phrase),
    isExcluded: phrase.kind === 'exclusion',
  }));
  const [only, ...others] = demands;
  const { live } = parts.documents;
  if (only === undefined || others.length > 0) return yield* finder.meeting(demands, live);
  const holding = yield* finder.holding(only.terms);
  return only.isExcluded ? live.clone().andNot(holding) : holding.and(live);
}

/** What a query demands and a document does not give. @throws TooDearError */
export function* demandsUnmet(
  parts: Parts,
  query: Pick<SearchQuery, 'text' | 'fields' | 'ranking'>,
  ordinal: number,
): Steps<AskedPhrase[]> {
  const finder = finderOf(parts, query);
  const { dictionary } = parts.lexical;
  const unmet: AskedPhrase[] = [];
  for (const phrase of askedPhrases(query.text, parts.lexical.analyzer)) {
    const isHeld = yield* finder.holds(termsOf(dictionary, phrase), ordinal);
    if (isHeld === (phrase.kind === 'exclusion')) unmet.push(phrase);
  }
  return unmet;
}

function finderOf(
  { lexical, documents }: Parts,
  query: Pick<SearchQuery, 'fields' | 'ranking'>,
): PhraseFinder {
  const weights = lexical.searchedWeights(query.fields, query.ranking.titleWeight);
  return new PhraseFinder({ lexical, documents, weights, kept: lexical.phrases }, query);
}
