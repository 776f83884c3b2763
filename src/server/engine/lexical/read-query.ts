/**
 * How the words of a query are read and what counts as a match, decided from figures. One index is asked, or many: then the sums of
 * their figures decide, so that all read the query alike and their scores are those of one index with all their documents.
 *
 * - `all`: every word, in any variant; `any`: at least one.
 * - `auto`: all while there are at most `shortWordsMax` words and enough documents surely hold them; else the documents that cover at least
 *   `coverageShare` (of a longer query `longCoverageShare`) of the weight (idf) that the best one covers (`most`), so that a few documents that happen to hold all do not hide
 *   others. Enough are `fewMatches`, or more if `dropTokensThreshold` says so; with that at 0 no words are ever left out. Words that
 *   documents hold are never satisfied by a neighbour: there a typo adds little to the score, and a quarter of the word's weight to what is
 *   covered. Words that tell little need not be there.
 * - Typos are looked for in words nobody holds, the first twelve of a query; in a short query also in rare words while few documents are found, and in all but common words while
 *   none is.
 * - Before that words are looked for that are written in one or in two (`word-breaks.ts`), while fewer than `fewMatches` documents are found, in a
 *   longer query none; or always, or never, as the search says (`wordBreaks`).
 */

import type {
  BreakFigures,
  HeldWord,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  NearWord,
  NearWords,
  WordFigures,
  WordPlan,
} from '../merged-types.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { english } from '../text/english.ts';
import type { Ranking, SearchQuery } from '../types.ts';
import { neededOf, wordsOfQuery } from './query-words.ts';
import { neighboursMax } from './variants.ts';
import { withWordBreaks, wordBreaks } from './word-breaks.ts';

/** Yields what to ask the indexes, and is told the sum of what they answer. */
export type Reader<Decision> = Generator<KeywordQuestion, Decision, KeywordFigures>;

/** What is asked until it is decided how the query is read. */
export function* readQuery(query: SearchQuery, analyzer: Analyzer = english): Reader<KeywordReading> {
  let state = yield* settlePrefix(wordsOfQuery(query, analyzer));
  const { fewDocuments, fewMatches, commonShare } = query.ranking;
  const isFew = isShort(state.words, query.ranking);
  const isAlways = query.wordBreaks === 'always';
  const rarerThan = breaksBelow(query, isFew ? fewMatches : 1);
  if (state.totals.full < rarerThan)
    state = yield* breakWords(state, { text: query.text, analyzer, takesAll: isFew || isAlways, rarerThan });
  if (query.typosMax > 0 && state.totals.full < (isFew ? fewDocuments : 1)) {
    const rare = { rarerThan: state.totals.full > 0 ? fewDocuments : 1, fewDocuments };
    state = yield* widen(state, rare);
    const uncommon = Math.max(fewDocuments, state.totals.documents * commonShare);
    if (isFew && state.totals.full === 0) state = yield* widen(state, { rarerThan: uncommon, fewDocuments });
  }
  return yield* decide(state, query);
}

/** Words are joined and split while fewer documents are found than this. */
function breaksBelow({ wordBreaks, typosMax }: SearchQuery, wanted: number): number {
  if (wordBreaks === 'always') return Number.POSITIVE_INFINITY;
  return wordBreaks === 'off' || typosMax === 0 ? 0 : wanted;
}

function question(words: WordPlan[], totals: KeywordFigures | null): KeywordQuestion {
  return { words, totals, lookUps: [], breaks: [], wantsCovered: false };
}

/** Words as they are read so far, and what the indexes say of them. */
interface State {
  words: WordPlan[];
  totals: KeywordFigures;
}

/** A last word that some indexes have and others do not is whole in all. */
function* settlePrefix(words: WordPlan[]): Reader<State> {
  const totals = yield question(words, null);
  const isMixed = words.some(({ isPrefix }, i) => {
    const { indexes } = figuresOf(totals, i);
    return isPrefix === null && indexes > 0 && indexes < totals.indexes;
  });
  if (!isMixed) return { words, totals };
  const whole = words.map((word) => ({ ...word, isPrefix: word.isPrefix ?? false }));
  return { words: whole, totals: yield question(whole, null) };
}

/**
 * With words joined, and those cut that fewer documents hold than `rarerThan`. Unless it `takesAll`, only more frequent words count as joined
 * (Lucene's `SUGGEST_MORE_POPULAR`): hardly a document has all words of a longer query, however they are written.
 */
function* breakWords(
  { words, totals }: State,
  {
    text,
    analyzer,
    takesAll,
    rarerThan,
  }: { text: string; analyzer: Analyzer; takesAll: boolean; rarerThan: number },
): Reader<State> {
  const exactOf = (place: number) => figuresOf(totals, place).exact;
  const mayCut = (place: number) => exactOf(place) < rarerThan;
  const breaks = wordBreaks(words, text, { analyzer, mayCut });
  if (breaks.length === 0) return { words, totals };
  const asked = { ...question(words, totals), breaks: breaks.map((each) => each.words) };
  const { breaks: figures } = yield asked;
  const least = (places: number[]) => (takesAll ? 0 : Math.min(...places.map(exactOf)));
  const broken = withWordBreaks(words, { breaks, figures }, least);
  return broken === words ? { words, totals } : { words: broken, totals: yield question(broken, null) };
}

/**
 * Of a query, the first ones that typos are looked for in: a look-up among all words of 100,000 documents takes a millisecond or two, and a longer list of words that
 * nobody holds is no text with typos.
 */
const typoWordsMax = 12;

/** With typos in words that fewer documents hold than `rarerThan`. */
function* widen(
  { words, totals }: State,
  { rarerThan, fewDocuments }: { rarerThan: number; fewDocuments: number },
): Reader<State> {
  const all = words.flatMap(({ neighbours, isBeginningOnly, isQuoted }, place) => {
    const { exact } = figuresOf(totals, place);
    if (isBeginningOnly || isQuoted || neighbours.length > 0 || exact >= rarerThan) return [];
    return [{ place, isWide: exact === 0 || rarerThan > fewDocuments }];
  });
  const lookUps = all.slice(0, typoWordsMax);
  if (lookUps.length === 0) return { words, totals };
  const { nearWords } = yield { ...question(words, totals), lookUps };
  const widened = [...words];
  lookUps.forEach(({ place }, i) => {
    const word = words[place];
    const found = nearWords[i];
    if (word !== undefined && found !== undefined)
      widened[place] = { ...word, neighbours: found.near.length > 0 ? found.near : found.wide };
  });
  if (lookUps.every(({ place }) => widened[place]?.neighbours.length === 0)) return { words, totals };
  return { words: widened, totals: yield question(widened, totals) };
}

function* decide({ words, totals }: State, query: SearchQuery): Reader<KeywordReading> {
  const { match, dropTokensThreshold, ranking } = query;
  const base = { words, totals, isSure: false, coveredMin: 0 };
  if (match === 'any') return { ...base, rule: 'any' };
  if (match === 'all') return { ...base, rule: 'all' };
  const wantsAll = isShort(words, ranking);
  // Where no words may be left out, none are.
  const wanted = dropTokensThreshold === 0 ? 0 : Math.max(dropTokensThreshold, ranking.fewMatches);
  if (wantsAll && totals.full >= wanted)
    return { ...base, rule: 'all', isSure: totals.full >= ranking.fewDocuments };
  // Only now every index knows the weights of the words.
  const { covered } = yield { ...question(words, totals), wantsCovered: true };
  const isSure = !wantsAll || totals.full >= ranking.fewDocuments;
  return {
    ...base,
    rule: 'most',
    isSure,
    coveredMin: covered * coverageShareOf(words, ranking),
  };
}

const isShort = (words: WordPlan[], { shortWordsMax }: Ranking): boolean =>
  neededOf(words).length <= shortWordsMax;

/** How much a match covers of what the best one covers, where not all words are wanted. */
export function coverageShareOf(words: WordPlan[], ranking: Ranking): number {
  return isShort(words, ranking) ? ranking.coverageShare : ranking.longCoverageShare;
}

const noFigures: WordFigures = { own: 0, exact: 0, near: 0, nearest: 0, indexes: 0 };

export function figuresOf({ words }: KeywordFigures, place: number): WordFigures {
  return words[place] ?? noFigures;
}

/** The figures of several indexes as those of one. */
export function sumOfFigures(all: KeywordFigures[]): KeywordFigures {
  const [first, ...others] = all;
  if (first === undefined)
    return { indexes: 0, documents: 0, length: 0, words: [], full: 0, covered: 0, nearWords: [], breaks: [] };
  if (others.length === 0) return first;
  const sum = (read: (figures: KeywordFigures) => number) =>
    all.reduce((total, each) => total + read(each), 0);
  return {
    indexes: sum(({ indexes }) => indexes),
    documents: sum(({ documents }) => documents),
    length: sum(({ length }) => length),
    words: first.words.map((_, place) => sumOfWord(all.map((each) => figuresOf(each, place)))),
    full: sum(({ full }) => full),
    covered: Math.max(...all.map(({ covered }) => covered)),
    nearWords: first.nearWords.map((_, i) => unionOf(all.flatMap(({ nearWords }) => nearWords[i] ?? []))),
    breaks: first.breaks.map((_, i) => sumOfBreaks(all.flatMap(({ breaks }) => breaks[i] ?? []))),
  };
}

function sumOfBreaks(all: BreakFigures[]): BreakFigures {
  const sum = (read: (figures: BreakFigures) => number) => all.reduce((total, each) => total + read(each), 0);
  const documents = all[0]?.documents.map((_, i) => sum((each) => each.documents[i] ?? 0)) ?? [];
  return { documents, characters: sum(({ characters }) => characters) };
}

function sumOfWord(all: WordFigures[]): WordFigures {
  const sum = (read: (figures: WordFigures) => number) => all.reduce((total, each) => total + read(each), 0);
  const distances = all.map(({ nearest }) => nearest).filter((distance) => distance > 0);
  return {
    own: sum(({ own }) => own),
    exact: sum(({ exact }) => exact),
    near: sum(({ near }) => near),
    nearest: distances.length === 0 ? 0 : Math.min(...distances),
    indexes: sum(({ indexes }) => indexes),
  };
}

function unionOf(all: NearWords[]): NearWords {
  return {
    near: together(all.flatMap(({ near }) => near)),
    wide: together(all.flatMap(({ wide }) => wide)),
  };
}

/** Each word once; nearest first, then those that more documents hold. */
function together(words: NearWord[]): NearWord[] {
  const byWord = new Map<string, NearWord>();
  for (const each of words) {
    const documents = (byWord.get(each.word)?.documents ?? 0) + each.documents;
    byWord.set(each.word, { ...each, documents });
  }
  const ordered = [...byWord.values()].sort(
    (a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1),
  );
  return ordered.slice(0, neighboursMax);
}

/** What was done to the words of a query. */
export interface WordReport {
  /** Words that no match holds in any variant. */
  droppedTokens: string[];
  /** Words that matches hold only as a neighbour: the one that most of them hold. */
  correctedTokens: { from: string; to: string }[];
}

/** `held`: word by word, what the matches of each index hold. */
export function reportOf(words: WordPlan[], held: HeldWord[][]): WordReport {
  const report: WordReport = { droppedTokens: [], correctedTokens: [] };
  words.forEach(({ text, neighbours, isBeginningOnly, isQuoted }, place) => {
    const own = held.flatMap((index) => index[place] ?? []);
    // What is demanded is not dropped: without it nothing is found.
    if (isBeginningOnly || isQuoted || own.some(({ isExact }) => isExact)) return;
    const to = own.some(({ isAny }) => isAny) ? commonest(neighbours, own) : null;
    if (to === null) report.droppedTokens.push(text);
    else report.correctedTokens.push({ from: text, to });
  });
  return report;
}

/** Of the nearest neighbours that matches hold, the one that most of them hold. */
function commonest(neighbours: readonly NearWord[], held: HeldWord[]): string | null {
  let best: NearWord | null = null;
  let most = 0;
  for (const [place, neighbour] of neighbours.entries()) {
    if (best !== null && neighbour.distance > best.distance) break;
    const count = held.reduce((sum, { byNeighbour }) => sum + (byNeighbour[place] ?? 0), 0);
    if (count <= most) continue;
    best = neighbour;
    most = count;
  }
  return best?.word ?? null;
}
