/** The words of a query, and the terms of an index each stands for. */

import type { NearWord, NearWords, WordPlan } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import { type Analyzer, queryWords, readQueryText } from '../text/analyzer.ts';
import { readSyntax } from '../text/query-syntax.ts';
import type { SearchQuery, Synonym } from '../types.ts';
import { ExactTerms } from './exact-terms.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { type Neighbour, neighbourOf, type SynonymTerms, typoNeighbours } from './variants.ts';

/** Distinct words of a query that are used; a longer text is no query. */
const queryWordsMax = 512;

export interface QueryWord {
  text: string;
  /** Times it stands in the query. */
  count: number;
  /** How much of its weight counts. */
  share: number;
  /** It ranks documents that hold other words, and finds none. */
  isBeginningOnly: boolean;
  /** It stands in quotation marks alone. */
  isQuoted: boolean;
  exact: ExactTerms;
  /** Terms that count as the word, each one or several in a row; none of them is its own. */
  synonyms: SynonymTerms[];
  /** Words a typo or two away, nearest first. */
  neighbours: Neighbour[];
}

/** Of a query, what says which words it has. */
export type QueryText = Pick<SearchQuery, 'text' | 'prefix' | 'match' | 'stopWords' | 'synonyms' | 'ranking'>;

/** A word as it was typed. */
interface TypedWord {
  text: string;
  isQuoted: boolean;
}

/** Distinct words without stop words and exclusions, unless there is nothing else. The last typed one is unfinished, and no stop word while it is. */
export function wordsOfQuery(query: QueryText, analyzer: Analyzer): WordPlan[] {
  const { text, match, ranking } = query;
  const left = query.stopWords === null ? analyzer.stopWords : new Set(query.stopWords);
  // Where a synonym is of stop words alone they do tell something.
  const telling = query.synonyms.filter(({ words }) => words.every((word) => left.has(word)));
  const kept = new Set(telling.flatMap(({ words }) => words));
  const { parts } = readSyntax(text);
  const all = parts.flatMap((part): TypedWord[] => {
    if (part.kind === 'exclusion') return [];
    const isQuoted = part.kind === 'phrase';
    return queryWords(part.text, analyzer.words).map((word) => ({ text: word, isQuoted }));
  });
  const some = all.filter((word) => !left.has(word.text) || kept.has(word.text));
  const used = some.length > 0 ? some : all;
  const words = new Map<string, WordPlan>();
  for (const { text: each, isQuoted } of used) {
    const known = words.get(each);
    if (known !== undefined)
      Object.assign(known, { count: known.count + 1, isQuoted: known.isQuoted && isQuoted });
    else if (words.size < queryWordsMax) words.set(each, { ...planOf(each), isQuoted });
  }
  const isFaint = (word: string) => query.stopWords === null && analyzer.faintWords?.has(word) === true;
  const faint = [...words.values()].filter((word) => isFaint(word.text));
  const isShort = words.size - faint.length <= ranking.shortWordsMax;
  if (!isShort)
    for (const word of faint) Object.assign(word, { share: ranking.faintShare, isNeeded: match === 'all' });
  const end = parts.at(-1);
  const isUnfinished = query.prefix && end?.kind === 'words' && !/[.?!。]\s*$/.test(end.text);
  const last = isUnfinished ? all.at(-1)?.text : undefined;
  if (last === undefined) return [...words.values()];
  const known = words.get(last);
  // The last word of a sentence is whole if it exists; that of a short query is being typed.
  if (known !== undefined) known.isPrefix = isShort ? true : null;
  else if (isShort)
    words.set(last, { ...planOf(last), isPrefix: true, isNeeded: false, isBeginningOnly: true });
  return [...words.values()];
}

/** The words without which a document does not have all of a query. */
export function neededOf(words: readonly WordPlan[]): WordPlan[] {
  return words.filter(({ isNeeded }) => isNeeded);
}

/** Of a word that is read as it is typed. */
export function planOf(text: string): WordPlan {
  return {
    text,
    count: 1,
    share: 1,
    isNeeded: true,
    isPrefix: false,
    isBeginningOnly: false,
    isQuoted: false,
    neighbours: [],
    breaks: [],
  };
}

/** Synonyms of a query, and the ways to write its words in one. */
export function synonymsOf(
  { text, synonyms }: Pick<SearchQuery, 'text' | 'synonyms'>,
  { words }: Analyzer,
): Synonym[] {
  const { joined } = readQueryText(readSyntax(text).text, words);
  return [...synonyms, ...joined.map((each) => ({ words: each.words, alternatives: [[each.joined]] }))];
}

/** What the words of a plan stand for in one index. */
export function* wordsIn(
  dictionary: TermDictionary,
  words: WordPlan[],
  synonyms: Synonym[],
): Steps<QueryWord[]> {
  const all: QueryWord[] = [];
  for (const word of words) all.push(yield* wordIn(dictionary, word, synonyms));
  return all;
}

export function* wordIn(
  dictionary: TermDictionary,
  { text, count, share, isPrefix, isBeginningOnly, isQuoted, neighbours, breaks }: WordPlan,
  synonyms: Synonym[],
): Steps<QueryWord> {
  const isBeginning = isPrefix ?? dictionary.findWord(text) < 0;
  const exact = isBeginning
    ? yield* isBeginningOnly
        ? ExactTerms.onlyBeginningWith(dictionary, text)
        : ExactTerms.beginningWith(dictionary, text)
    : ExactTerms.of(dictionary, text);
  const own = isQuoted ? [] : synonymsIn(dictionary, synonyms, { text, exact, breaks });
  const alone = new Set(own.flatMap(({ terms }) => (terms.length === 1 ? terms : [])));
  const near = neighbours
    .map((neighbour) => neighbourOf(dictionary, neighbour))
    .filter(({ term }) => term >= 0 && !exact.has(term) && !alone.has(term));
  return { text, count, share, isBeginningOnly, isQuoted, exact, synonyms: own, neighbours: near };
}

/** Terms of the alternatives that documents may hold, each once. An alternative for several words counts as each of them. */
function synonymsIn(
  dictionary: TermDictionary,
  synonyms: Synonym[],
  { text, exact, breaks }: Pick<QueryWord, 'text' | 'exact'> & Pick<WordPlan, 'breaks'>,
): SynonymTerms[] {
  const found = new Map<string, Pick<SynonymTerms, 'terms' | 'isBreak'>>();
  const named = synonyms.flatMap(({ words, alternatives }) => (words.includes(text) ? alternatives : []));
  for (const [i, words] of [...named, ...breaks].entries()) {
    const terms = words.map((word) => dictionary.termForQuery(word));
    const isOwn = terms.length === 1 && terms[0] === exact.own;
    const isKnown = found.has(terms.join());
    if (terms.length > 0 && !terms.includes(-1) && !isOwn && !isKnown)
      found.set(terms.join(), { terms, isBreak: i >= named.length });
  }
  const all = [...found.values()];
  return all.map((each) => ({ ...each, holdsAnother: holdsAnother(each, all, exact.own) }));
}

/** The word's own term, or one of the alternatives that counts as much. */
function holdsAnother(
  { terms, isBreak }: Pick<SynonymTerms, 'terms' | 'isBreak'>,
  all: readonly Pick<SynonymTerms, 'terms' | 'isBreak'>[],
  own: number,
): boolean {
  if (terms.includes(own)) return true;
  const others = all.filter((each) => each.terms.length < terms.length && (isBreak || !each.isBreak));
  return others.some(({ terms: others }) =>
    terms.some((_, start) => others.every((term, i) => terms[start + i] === term)),
  );
}

/** Typo neighbours in one index, without those that the word stands for already. */
export function* nearWordsIn(
  dictionary: TermDictionary,
  { text, exact }: QueryWord,
  limits: { typosMax: number; isWide: boolean },
): Steps<NearWords> {
  const { near, wide } = yield* typoNeighbours(dictionary, text, limits);
  const isOther = ({ word }: NearWord) => !exact.has(dictionary.termForQuery(word));
  return { near: near.filter(isOther), wide: wide.filter(isOther) };
}
