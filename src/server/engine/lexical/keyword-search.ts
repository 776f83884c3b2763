/**
 * Which documents match the words of a query, and what their BM25 scores are asked of. What matches is decided before any filter, so a filter can only make
 * a result smaller. A document holds a word as typed, as one of its synonyms, or, the last word, as the beginning of a longer one; a word that nobody holds stands for
 * its neighbours, one typo away for sure, two perhaps. How the words are read is decided in `read-query.ts`.
 *
 * What matches is found from sets alone (`holder-sets.ts`, `covered-documents.ts`); scores are made of those that need one (`text-scores.ts`).
 */
import { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
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
import { isPauseDue, type Steps } from '../steps.ts';
import type { SearchQuery, Synonym } from '../types.ts';
import { admittedDocuments } from './asked-phrases.ts';
import { CoveredDocuments } from './covered-documents.ts';
import { type HolderList, held as heldWays } from './holder-list.ts';
import { type FewOrMany, inAny, inEach, intersects } from './holder-sets.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PhraseFinder, type SearchedDocuments } from './phrase-finder.ts';
import { PostingCursor, visitBlocks } from './posting-cursor.ts';
import { nearWordsIn, type QueryWord, synonymsOf, wordIn } from './query-words.ts';
import { coverageShareOf, figuresOf, readQuery } from './read-query.ts';
import { type DocumentScores, TextScores } from './text-scores.ts';
import { type AskedWord, type TitledDocuments, wholeTitles } from './whole-titles.ts';
import { breakCharactersMax } from './word-breaks.ts';
import { type FoundHolders, type Scope, type WordHolders, WordReader } from './word-reader.ts';

export interface KeywordMatches {
  matched: Bitset;
  /** What the phrases and exclusions of the query leave; null: it has none. */
  admitted: Bitset | null;
  /** What a document's score is asked of, also one's that the rule leaves out. Null: the search has no words. */
  scores: DocumentScores | null;
  /** Documents whose title is what was asked for; null: there is none. */
  whole: TitledDocuments | null;
  rule: 'all' | 'any' | 'most' | null;
  /** Word by word, what the matches hold. */
  held: HeldWord[];
  plan: WordPlan[];
  /** The words of the plan with the terms each stands for in this index. */
  words: QueryWord[];
  /** What they are weighed by; null: the search has no words. */
  totals: KeywordFigures | null;
}

/** All words, and who holds them. */
interface Tally {
  plan: WordPlan[];
  words: QueryWord[];
  totals: KeywordFigures | null;
  /** By word. */
  holders: WordHolders[];
  /** Admitted documents that surely hold every word. */
  full: Bitset;
  covered: CoveredDocuments | null;
}

interface ReadWord {
  word: QueryWord;
  found: FoundHolders;
}

/** Of so many documents each is looked for in a word's list, rather than the other way round. */
const fewMax = 1_024;
/** Of work, to look up a word, and to look for a document in a list. */
const wordUnits = 64;
const lookUnits = 16;

export interface KeywordParts {
  lexical: LexicalIndex;
  documents: SearchedDocuments & { liveCount: number };
  /** What the matches' scores lie in. */
  scratch: SearchScratch;
}

export class KeywordSearch {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #query: SearchQuery;
  readonly #synonyms: Synonym[];
  #tally: Tally | null = null;
  readonly #read = new Map<WordPlan, ReadWord>();
  readonly #parts: KeywordParts;
  /** Undefined: not asked yet. */
  #admitted: Bitset | null | undefined;

  constructor(parts: KeywordParts, query: SearchQuery) {
    const { lexical, documents, scratch } = parts;
    const { live, liveCount, capacity } = documents;
    this.#parts = parts;
    this.#index = lexical;
    this.#query = query;
    this.#synonyms = synonymsOf(query, lexical.analyzer);
    const weights = lexical.searchedWeights(query.fields, query.ranking.titleWeight);
    const phrases = new PhraseFinder({ lexical, documents, weights, kept: lexical.phrases }, query);
    this.#scope = { live, liveCount, capacity, weights, scratch, phrases, ranking: query.ranking };
  }

  /** Of this index alone. */
  *run(): Steps<KeywordMatches> {
    const reading = readQuery(this.#query, this.#index.analyzer);
    let step = reading.next();
    while (!step.done) step = reading.next(yield* this.figures(step.value));
    return yield* this.matches(step.value);
  }

  *figures({ words, totals, lookUps, breaks, wantsCovered }: KeywordQuestion): Steps<KeywordFigures> {
    const tally = this.#known(words) ?? (yield* this.#tallyOf(words, totals));
    const { dictionary, lengths } = this.#index;
    const { liveCount, weights } = this.#scope;
    return {
      indexes: 1,
      documents: liveCount,
      length: lengths.sum(weights),
      words: tally.holders.map(({ figures }, i) => {
        const isWord = dictionary.findWord(words[i]?.text ?? '') >= 0;
        return { ...figures, indexes: Number(isWord) };
      }),
      full: tally.full.count(),
      covered: wantsCovered ? (yield* this.#covered(tally)).most : 0,
      nearWords: lookUps.length === 0 ? [] : yield* this.#nearWords(tally, lookUps),
      breaks: yield* this.#breakFigures(breaks),
    };
  }

  *#breakFigures(breaks: string[][]): Steps<BreakFigures[]> {
    const { dictionary, postings } = this.#index;
    const all: BreakFigures[] = [];
    for (const words of breaks) {
      const terms = words.map((word) => dictionary.termForQuery(word));
      const documents = terms.map((term) => {
        const list = term < 0 ? -1 : postings.listOf(term);
        return list < 0 ? 0 : postings.documentsOf(list) - dictionary.others.heldOf(term);
      });
      const isRead = terms.length > 1 && !terms.includes(-1);
      const { phrases } = this.#scope;
      const characters = isRead ? yield* phrases.charactersOf(terms, breakCharactersMax) : 0;
      all.push({ documents, characters });
      if (isPauseDue(wordUnits)) yield;
    }
    return all;
  }

  *#nearWords({ words }: Tally, lookUps: KeywordQuestion['lookUps']): Steps<NearWords[]> {
    const all: NearWords[] = [];
    for (const { place, isWide } of lookUps) {
      const word = words[place];
      const limits = { typosMax: this.#query.typosMax, isWide };
      const found = word && (yield* nearWordsIn(this.#index.dictionary, word, limits));
      all.push(found ?? { near: [], wide: [] });
    }
    return all;
  }

  *matches(reading: KeywordReading): Steps<KeywordMatches> {
    const tally = this.#known(reading.words) ?? (yield* this.#tallyOf(reading.words, reading.totals));
    const matched = yield* this.#matched(tally, reading);
    const few = matched.count() > fewMax ? null : yield* matched.ordinals();
    const whole = yield* this.#titled(tally);
    const heldWords: HeldWord[] = [];
    for (const [place, { list }] of tally.holders.entries())
      heldWords.push(yield* this.#heldWord(tally, { place, list }, { documents: matched, few }));
    return {
      matched,
      admitted: yield* this.#admittedDocuments(),
      scores: this.#scoresOf(tally, whole),
      whole,
      rule: reading.words.length === 0 ? null : reading.rule,
      held: heldWords,
      plan: reading.words,
      words: tally.words,
      totals: reading.totals,
    };
  }

  *#heldWord(
    tally: Tally,
    { place, list }: { place: number; list: HolderList },
    matched: FewOrMany,
  ): Steps<HeldWord> {
    const isExact = yield* intersects(list, heldWays.exactly, matched);
    const isOtherwise = list.ways === null || (list.ways & heldWays.exactly) === 0;
    const isAny = isExact || (isOtherwise && (yield* intersects(list, null, matched)));
    const byNeighbour = isExact || !isAny ? [] : yield* this.#heldNeighbours(tally, place, matched);
    return { isExact, isAny, byNeighbour };
  }

  #scoresOf(tally: Tally, whole: TitledDocuments | null): TextScores {
    const { holders, totals } = tally;
    const { liveCount, weights } = this.#scope;
    const documents = totals?.documents ?? liveCount;
    const length = totals?.length ?? this.#index.lengths.sum(weights);
    const meanLength = length / Math.max(1, documents) || 1;
    return new TextScores(holders, finding(tally), {
      index: this.#index,
      scope: this.#scope,
      meanLength,
      masked: tally.covered?.masked ?? null,
      whole,
    });
  }

  /** Documents whose title is what was asked for; null: there is none. */
  *wholeTitled({ words, totals }: KeywordReading): Steps<TitledDocuments | null> {
    return yield* this.#titled(this.#known(words) ?? (yield* this.#tallyOf(words, totals)));
  }

  *#titled(tally: Tally): Steps<TitledDocuments | null> {
    const { live, weights, ranking } = this.#scope;
    if (ranking.wholeTitleShare === 0) return null;
    const words = tally.words.flatMap((word, place) => {
      const figures = tally.totals ? figuresOf(tally.totals, place) : tally.holders[place]?.figures;
      if (word.isBeginningOnly || figures === undefined) return [];
      return { word, figures, near: documentsNear(tally.plan[place]?.neighbours ?? []) };
    });
    const documents = yield* wholeTitles(this.#index, { words, live, weights });
    if (documents === null) return null;
    const weight = finding(tally).reduce((sum, each) => sum + each.weight, 0);
    return { documents, adds: ranking.wholeTitleShare * weight };
  }

  /** Kept while the words are read alike: alone, an index is its own total. */
  #known(plan: WordPlan[]): Tally | null {
    return this.#tally?.plan === plan ? this.#tally : null;
  }

  *#tallyOf(plan: WordPlan[], totals: KeywordFigures | null): Steps<Tally> {
    const reader = new WordReader(this.#index, this.#scope, totals);
    const words: QueryWord[] = [];
    const holders: WordHolders[] = [];
    for (const [i, planned] of plan.entries()) {
      const figures = totals && figuresOf(totals, i);
      const { word, found } = yield* this.#readWord(planned, reader, figures);
      words.push(word);
      holders.push(reader.weigh(word, found, figures));
      if (isPauseDue(wordUnits)) yield;
    }
    const needed = holders.filter((_, place) => plan[place]?.isNeeded);
    const isMissing = needed.some(({ sureMax }) => sureMax === 0);
    const lists = needed.map(({ list }) => list);
    const full = isMissing
      ? new Bitset(this.#scope.capacity)
      : yield* inEach(lists, heldWays.surely, yield* this.#searched());
    this.#tally = { plan, words, totals, holders, full, covered: null };
    return this.#tally;
  }

  *#admittedDocuments(): Steps<Bitset | null> {
    if (this.#admitted === undefined) this.#admitted = yield* admittedDocuments(this.#parts, this.#query);
    return this.#admitted;
  }

  /** What may match. Words are weighed by all documents, as under a filter. */
  *#searched(): Steps<{ live: Bitset; capacity: number }> {
    const { live, capacity } = this.#scope;
    return { live: (yield* this.#admittedDocuments()) ?? live, capacity };
  }

  /** A word that is planned as before is read once: only which neighbours count depends on what other indexes say. */
  *#readWord(planned: WordPlan, reader: WordReader, figures: WordFigures | null): Steps<ReadWord> {
    const known = this.#read.get(planned);
    if (known !== undefined && planned.neighbours.length === 0) return known;
    const { dictionary } = this.#index;
    const word = known?.word ?? (yield* wordIn(dictionary, planned, this.#synonyms));
    const read = { word, found: yield* reader.find(word, figures) };
    this.#read.set(planned, read);
    return read;
  }

  *#matched(tally: Tally, { rule, isSure, coveredMin }: KeywordReading): Steps<Bitset> {
    if (rule === 'all' && isSure) return tally.full;
    const needed = tally.holders.flatMap(({ list }, place) => (tally.plan[place]?.isNeeded ? list : []));
    const searched = yield* this.#searched();
    if (rule === 'all') return yield* inEach(needed, null, searched);
    if (rule === 'any')
      return yield* inAny(
        finding(tally).map(({ list }) => list),
        searched,
      );
    const matched = isSure ? new Bitset(searched.capacity) : yield* inEach(needed, null, searched);
    yield* (yield* this.#covered(tally)).reaching(coveredMin, matched);
    return matched;
  }

  *#covered(tally: Tally): Steps<CoveredDocuments> {
    const share = coverageShareOf(tally.plan, this.#query.ranking);
    const { live } = yield* this.#searched();
    const { scratch } = this.#scope;
    tally.covered ??= yield* CoveredDocuments.of(finding(tally), { live, full: tally.full, share, scratch });
    return tally.covered;
  }

  /** How many of the matches hold each neighbour of a word. */
  *#heldNeighbours({ plan, words }: Tally, place: number, matched: FewOrMany): Steps<number[]> {
    const byNeighbour: number[] = [];
    for (const { word } of plan[place]?.neighbours ?? []) {
      const here = words[place]?.neighbours.find((each) => each.word === word);
      byNeighbour.push(here === undefined ? 0 : yield* this.#countIn(here.term, matched));
    }
    return byNeighbour;
  }

  /** Documents of a set that hold a term in a searched field. */
  *#countIn(term: number, { documents, few }: FewOrMany): Steps<number> {
    const { postings } = this.#index;
    const { weights } = this.#scope;
    let found = 0;
    const list = postings.listOf(term);
    if (few !== null && list >= 0 && few.length < postings.lengthOf(list)) {
      const cursor = new PostingCursor(postings).open(list);
      for (const ordinal of few) {
        if (!cursor.advance(ordinal)) break;
        if (cursor.ordinal === ordinal && postings.forms.frequency(cursor.form, weights) > 0) found += 1;
        if (isPauseDue(lookUnits)) yield;
      }
      return found;
    }
    yield* visitBlocks(postings, list, ({ count, ordinals, forms }) => {
      for (let i = 0; i < count; i += 1)
        if (documents.has(ordinals[i] ?? 0) && postings.forms.frequency(forms[i] ?? 0, weights) > 0)
          found += 1;
    });
    return found;
  }
}

/** Documents that hold several neighbours count as often. */
function documentsNear(neighbours: readonly NearWord[]): AskedWord['near'] {
  const sum = (some: readonly NearWord[]) => some.reduce((total, { documents }) => total + documents, 0);
  const distance = neighbours[0]?.distance ?? 0;
  const nearest = neighbours.filter((each) => each.distance === distance);
  return { all: sum(neighbours), nearest: sum(nearest), distance };
}

/** Of the words that find documents: a stop word that may become another word ranks what the others find. */
function finding({ holders, plan }: Tally): WordHolders[] {
  return holders.filter((_, place) => plan[place]?.isBeginningOnly === false);
}
