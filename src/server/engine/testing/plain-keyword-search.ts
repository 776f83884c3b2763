/**
 * Which documents match the words of a query, and their BM25 scores, the plain way: term at a time, with a number for each document there is.
 * What `lexical/keyword-search.ts` answers is held against it.
 */
import { Bitset } from '../bits/bitset.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { PhraseFinder, type SearchedDocuments } from '../lexical/phrase-finder.ts';
import { visitBlocks } from '../lexical/posting-cursor.ts';
import { nearWordsIn, type QueryWord, synonymsOf, wordsIn } from '../lexical/query-words.ts';
import { figuresOf, readQuery } from '../lexical/read-query.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type {
  BreakFigures,
  HeldWord,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  NearWords,
  WordPlan,
} from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import { plainAdmitted } from './plain-admitted.ts';
import { plainWholeTitles } from './plain-whole-titles.ts';
import { type Holders, type Scope, WordScorer } from './plain-word-scorer.ts';

interface PlainMatches {
  matched: Bitset;
  /** BM25 by ordinal, 0 without any of the words; also of documents that the rule leaves out. Null: the search has no words. */
  scores: Float64Array | null;
  rule: 'all' | 'any' | 'most' | null;
  /** Word by word, what the matches hold. */
  held: HeldWord[];
  plan: WordPlan[];
  /** The words of the plan with the terms each stands for in this index. */
  words: QueryWord[];
  /** What they are weighed by; null: the search has no words. */
  totals: KeywordFigures | null;
}

/** All words, scored. */
interface Tally {
  plan: WordPlan[];
  words: QueryWord[];
  scorer: WordScorer;
  /** By word. */
  holders: Holders[];
  /** Documents that surely hold every word. */
  full: Bitset;
}

interface KeywordParts {
  lexical: LexicalIndex;
  documents: SearchedDocuments & { liveCount: number };
  /** What the matches' scores lie in. */
  scratch: SearchScratch;
}

export class PlainKeywordSearch {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #query: SearchQuery;
  #tally: Tally | null = null;
  readonly #admitted: Bitset;
  readonly #sourceOf: (ordinal: number) => string;

  constructor(parts: KeywordParts, query: SearchQuery) {
    const { lexical, documents, scratch } = parts;
    const { live, liveCount, capacity } = documents;
    this.#admitted = plainAdmitted(parts, query);
    this.#sourceOf = (ordinal) => documents.sourceOf(ordinal);
    this.#index = lexical;
    this.#query = query;
    const weights = lexical.searchedWeights(query.fields, query.ranking.titleWeight);
    const phrases = new PhraseFinder({ lexical, documents, weights, kept: null }, query);
    this.#scope = { live, liveCount, capacity, weights, scratch, phrases, ranking: query.ranking };
  }

  /** Of this index alone. */
  *run(): Steps<PlainMatches> {
    const reading = readQuery(this.#query);
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
      covered: wantsCovered ? yield* this.#mostCovered(tally) : 0,
      nearWords: lookUps.length === 0 ? [] : yield* this.#nearWords(tally, lookUps),
      breaks: yield* this.#breakFigures(breaks),
    };
  }

  /** Every list is read, and every document that holds all of the words. */
  *#breakFigures(breaks: string[][]): Steps<BreakFigures[]> {
    const { dictionary, postings } = this.#index;
    const { live, capacity, weights } = this.#scope;
    const all: BreakFigures[] = [];
    for (const words of breaks) {
      const documents: number[] = [];
      const inEach = live.clone();
      for (const word of words) {
        const anywhere = new Bitset(capacity);
        const searched = new Bitset(capacity);
        const term = dictionary.termForQuery(word);
        yield* visitBlocks(postings, term < 0 ? -1 : postings.listOf(term), ({ count, ordinals, forms }) => {
          for (let i = 0; i < count; i += 1) {
            anywhere.add(ordinals[i] ?? 0);
            if (postings.forms.frequency(forms[i] ?? 0, weights) > 0) searched.add(ordinals[i] ?? 0);
          }
        });
        documents.push(anywhere.and(live).count() - (term < 0 ? 0 : dictionary.others.heldOf(term)));
        inEach.and(searched);
      }
      let characters = 0;
      yield* inEach.visit((ordinal) => {
        characters += new TextEncoder().encode(this.#sourceOf(ordinal)).length;
      });
      all.push({ documents, characters: words.length > 1 ? characters : 0 });
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

  *matches(reading: KeywordReading): Steps<PlainMatches> {
    const tally = this.#known(reading.words) ?? (yield* this.#tallyOf(reading.words, reading.totals));
    const isKnown = reading.rule === 'all' && reading.isSure;
    const matched = isKnown ? tally.full : (yield* this.#matched(tally, reading)).and(this.#admitted);
    const held: HeldWord[] = [];
    for (const [place, { exact, any }] of tally.holders.entries()) {
      const isExact = exact.intersects(matched);
      const isAny = isExact || any.intersects(matched);
      const byNeighbour = isExact || !isAny ? [] : yield* this.#heldNeighbours(tally, place, matched);
      held.push({ isExact, isAny, byNeighbour });
      if (isPauseDue(matched.words.length)) yield;
    }
    return {
      matched,
      scores: this.#withWholeTitles(tally, reading.totals),
      rule: reading.words.length === 0 ? null : reading.rule,
      held,
      plan: reading.words,
      words: tally.words,
      totals: reading.totals,
    };
  }

  #withWholeTitles(
    { words, plan, holders, scorer: { scores } }: Tally,
    totals: KeywordFigures | null,
  ): Float64Array {
    const { live, weights, ranking } = this.#scope;
    const asked = holders.reduce(
      (sum, { weight }, place) => sum + (plan[place]?.isBeginningOnly === false ? weight : 0),
      0,
    );
    const counted = words.flatMap((word, place) => {
      const figures = totals ? figuresOf(totals, place) : holders[place]?.figures;
      return figures === undefined ? [] : { word, figures, near: plan[place]?.neighbours ?? [] };
    });
    const titled = plainWholeTitles(this.#index, { words: counted, live, weights, sourceOf: this.#sourceOf });
    for (const ordinal of titled) scores[ordinal] = (scores[ordinal] ?? 0) + ranking.wholeTitleShare * asked;
    return scores;
  }

  /** Kept while the words are read alike: alone, an index is its own total. */
  #known(plan: WordPlan[]): Tally | null {
    return this.#tally?.plan === plan ? this.#tally : null;
  }

  *#tallyOf(plan: WordPlan[], totals: KeywordFigures | null): Steps<Tally> {
    const words = yield* wordsIn(this.#index.dictionary, plan, synonymsOf(this.#query, this.#index.analyzer));
    const scorer = yield* WordScorer.create(this.#index, this.#scope, totals);
    const holders: Holders[] = [];
    let full = new Bitset(this.#scope.capacity);
    let isFirst = true;
    for (const [i, word] of words.entries()) {
      const each = yield* scorer.add(word, totals && figuresOf(totals, i));
      holders.push(each);
      if (plan[i]?.isNeeded !== true) continue;
      full = isFirst ? each.sure.clone() : full.and(each.sure);
      isFirst = false;
      if (isPauseDue(full.words.length)) yield;
    }
    full.and(this.#admitted);
    this.#tally = { plan, words, scorer, holders, full };
    return this.#tally;
  }

  *#matched(tally: Tally, { rule, isSure, coveredMin }: KeywordReading): Steps<Bitset> {
    if (rule === 'all') return yield* this.#inAll(tally);
    const inAny = yield* this.#inAny(tally);
    if (rule === 'any') return inAny;
    const matched = isSure ? new Bitset(this.#scope.capacity) : yield* this.#inAll(tally);
    const { covered } = tally.scorer;
    yield* inAny.visit((ordinal) => {
      if ((covered[ordinal] ?? 0) >= coveredMin) matched.add(ordinal);
    });
    return matched;
  }

  *#mostCovered(tally: Tally): Steps<number> {
    const { covered } = tally.scorer;
    let most = 0;
    yield* (yield* this.#inAny(tally)).and(this.#admitted).visit((ordinal) => {
      most = Math.max(most, covered[ordinal] ?? 0);
    });
    return most;
  }

  *#inAny({ plan, holders }: Tally): Steps<Bitset> {
    const inAny = new Bitset(this.#scope.capacity);
    for (const [place, { any }] of holders.entries()) {
      if (plan[place]?.isBeginningOnly === false) inAny.or(any);
      if (isPauseDue(inAny.words.length)) yield;
    }
    return inAny;
  }

  *#inAll({ plan, holders }: Tally): Steps<Bitset> {
    const [first, ...others] = holders.filter((_, place) => plan[place]?.isNeeded);
    const inAll = first?.any.clone() ?? new Bitset(this.#scope.capacity);
    for (const { any } of others) {
      inAll.and(any);
      if (isPauseDue(inAll.words.length)) yield;
    }
    return inAll;
  }

  /** How many of the matches hold each neighbour of a word. */
  *#heldNeighbours({ plan, words }: Tally, place: number, matched: Bitset): Steps<number[]> {
    const byNeighbour: number[] = [];
    for (const { word } of plan[place]?.neighbours ?? []) {
      const here = words[place]?.neighbours.find((each) => each.word === word);
      byNeighbour.push(here === undefined ? 0 : yield* this.#countIn(here.term, matched));
    }
    return byNeighbour;
  }

  /** Documents of a set that hold a term in a searched field. */
  *#countIn(term: number, documents: Bitset): Steps<number> {
    const { postings } = this.#index;
    const { weights } = this.#scope;
    let found = 0;
    yield* visitBlocks(postings, postings.listOf(term), ({ count, ordinals, forms }) => {
      for (let i = 0; i < count; i += 1)
        if (documents.has(ordinals[i] ?? 0) && postings.forms.frequency(forms[i] ?? 0, weights) > 0)
          found += 1;
    });
    return found;
  }
}
