/**
 * BM25 scores of documents that are asked for, and the best of many. A score is the sum of what each word adds, in the order of the query, so
 * that it is the same to the last bit however it is come by: what is only estimated decides nothing but what is scored.
 */
import { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { BestSums } from './best-sums.ts';
import { saturation } from './bm25.ts';
import { BoundedDocuments } from './bounded-documents.ts';
import { sumCovered } from './covered-documents.ts';
import { HolderCursor } from './holder-cursor.ts';
import type { Measure } from './holder-list.ts';
import { KnownScores } from './known-scores.ts';
import { type Batch, LayeredScan, type ScannedWord } from './layered-scan.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { MaskSums, slack, slotsMax } from './mask-sums.ts';
import type { TitledDocuments } from './whole-titles.ts';
import type { MaskedDocuments } from './word-masks.ts';
import type { Scope, WordHolders } from './word-reader.ts';
import { postingsOf, sumAllCovered, sumAllScores, sumAllWeights } from './word-sums.ts';

/** Fewer documents are all scored. */
const scoredMax = 256;
/** Scored without a pause. */
const atOnce = 256;
/** Scored before it is asked whether others can be among the best. */
const boundedAtOnce = 64;
/** Of work, for a document and a word. */
const scoreUnits = 24;
/** What it costs to look for a document in the list of a word, in postings that are summed one after the other. */
const lookPostings = 2;

export interface BestScored {
  ordinals: Int32Array;
  scores: Float64Array;
}

/** Scores of documents, each the same whenever it is asked for. */
export interface DocumentScores {
  /** 0: the document holds none of the words. */
  scoreOf(ordinal: number): number;
  /** Of documents in ascending order, to the same places of `into`. */
  scoresOf(ordinals: Int32Array, into: Float64Array): Steps<void>;
  /** Of all these documents, each of which will be asked for; by ordinal, null: they are asked for one by one. */
  know(documents: Bitset): Steps<Float64Array | null>;
  /** The same of a few, which are in ascending order: one by one each opens the lists of all words anew. */
  knowFew(ordinals: Int32Array): Steps<void>;
  /** What the words weigh together that documents can be found by, also those that none holds. */
  readonly asked: number;
  /** How much of that documents cover, which are in ascending order, to the same places of `into`; `without`: what words at these places of the plan weigh covers nobody. */
  coveredBy(ordinals: Int32Array, into: Float64Array, without?: readonly number[]): Steps<void>;
  /** The best of some documents, best first; those alike in the order of `isBefore`. */
  best(count: number, among: Bitset, isBefore: (a: number, b: number) => boolean): Steps<BestScored>;
}

export class TextScores implements DocumentScores {
  readonly #words: WordHolders[];
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #finding: WordHolders[];
  readonly #meanLength: number;
  readonly asked: number;
  /** Whether a document's length is not less than its words are. */
  readonly #countsAll: boolean;
  readonly #cursor = new HolderCursor();
  readonly #known: KnownScores;
  readonly #masked: MaskedDocuments | null;
  /** Documents whose title is what was asked for, and what that adds; null: there is none. */
  readonly #whole: TitledDocuments | null;
  readonly #chunk = { ordinals: new Int32Array(atOnce), scores: new Float64Array(atOnce) };

  /** `finding`: those of the words that find documents; `masked`: documents of which it is known which of these they hold. */
  constructor(
    words: WordHolders[],
    finding: WordHolders[],
    {
      index,
      scope,
      meanLength,
      masked,
      whole,
    }: {
      index: LexicalIndex;
      scope: Scope;
      meanLength: number;
      masked: MaskedDocuments | null;
      whole: TitledDocuments | null;
    },
  ) {
    this.#masked = masked;
    this.#words = words;
    this.#finding = finding;
    this.asked = finding.reduce((sum, { weight }) => sum + weight, 0);
    this.#whole = whole;
    this.#index = index;
    this.#scope = scope;
    this.#meanLength = meanLength;
    this.#countsAll = scope.weights === null || scope.weights.every((weight) => weight >= 1);
    this.#known = new KnownScores(scope);
  }

  scoreOf(ordinal: number): number {
    if (this.#known.documents.has(ordinal)) return this.#known.scores[ordinal] ?? 0;
    this.#chunk.ordinals[0] = ordinal;
    this.#scoreChunk(1);
    return this.#known.scores[ordinal] ?? 0;
  }

  *know(documents: Bitset): Steps<Float64Array> {
    if (this.#isMany(documents.count())) return yield* this.#knowAll(documents);
    const { ordinals } = this.#chunk;
    const { words } = documents;
    let count = 0;
    for (let at = 0; at < words.length; at += 1) {
      let word = words[at] ?? 0;
      for (; word !== 0; word &= word - 1) {
        ordinals[count] = (at << 5) | (31 - Math.clz32(word & -word));
        count += 1;
      }
      if (count + 32 <= atOnce) continue;
      this.#scoreChunk(count);
      if (isPauseDue(count * this.#words.length * scoreUnits)) yield;
      count = 0;
    }
    this.#scoreChunk(count);
    return this.#known.scores;
  }

  *knowFew(few: Int32Array): Steps<void> {
    const { ordinals } = this.#chunk;
    let count = 0;
    for (const ordinal of few) {
      if (this.#known.documents.has(ordinal)) continue;
      ordinals[count] = ordinal;
      count += 1;
      if (count < atOnce) continue;
      this.#scoreChunk(count);
      if (isPauseDue(count * this.#words.length * scoreUnits)) yield;
      count = 0;
    }
    this.#scoreChunk(count);
  }

  *scoresOf(ordinals: Int32Array, into: Float64Array): Steps<void> {
    if (this.#known.read(ordinals, into)) {
      if (isPauseDue(2 * ordinals.length)) yield;
      return;
    }
    if (ordinals.length > scoredMax && this.#isMany(ordinals.length)) {
      const documents = new Bitset(this.#scope.capacity);
      for (let i = 0; i < ordinals.length; i += 1) documents.add(ordinals[i] ?? 0);
      const scores = yield* this.#knowAll(documents);
      for (let i = 0; i < ordinals.length; i += 1) into[i] = scores[ordinals[i] ?? 0] ?? 0;
      if (isPauseDue(2 * ordinals.length)) yield;
      return;
    }
    for (let from = 0; from < ordinals.length; from += atOnce) {
      const to = Math.min(from + atOnce, ordinals.length);
      const [part, scores] = [ordinals.subarray(from, to), into.subarray(from, to)];
      this.#score(part, scores);
      this.#known.add(part, scores);
      if (isPauseDue((to - from) * this.#words.length * scoreUnits)) yield;
    }
  }

  *coveredBy(ordinals: Int32Array, into: Float64Array, without: readonly number[] = []): Steps<void> {
    yield* fillSteps(into, 0);
    const left = new Set(without.map((place) => this.#words[place]));
    const counted = left.size === 0 ? this.#finding : this.#finding.filter((word) => !left.has(word));
    if (!this.#isMany(ordinals.length)) return yield* sumCovered(counted, ordinals, into);
    const { capacity, scratch } = this.#scope;
    const sums = yield* fillSteps(scratch.numbers('covered', capacity), 0);
    yield* sumAllCovered(counted, sums);
    for (let i = 0; i < ordinals.length; i += 1) into[i] = sums[ordinals[i] ?? 0] ?? 0;
    if (isPauseDue(ordinals.length)) yield;
  }

  *best(count: number, among: Bitset, isBefore: (a: number, b: number) => boolean): Steps<BestScored> {
    const size = among.count();
    const asked = Math.min(count, size);
    const top = new TopK(asked, isBefore);
    const areFew = size <= Math.max(scoredMax, 2 * asked);
    if (this.#known.documents.holdsAll(among)) yield* this.#offerScored(top, among);
    else if (areFew) yield* this.#offerAll(top, yield* among.ordinals());
    else {
      const rest = yield* this.#offerWhole(top, among);
      if (this.#masked !== null) yield* this.#offerByBounds(top, rest, this.#masked);
      else if (this.#words.length > slotsMax) yield* this.#offerHeaviest(top, rest, asked);
      else yield* this.#offerAll(top, yield* this.#mayBeBest(asked, rest));
    }
    const best = yield* top.sorted();
    this.#known.add(best.ordinals, best.scores);
    return best;
  }

  /** Offers those whose title is what was asked for, which bounds say nothing of, and answers the others. */
  *#offerWhole(top: TopK, among: Bitset): Steps<Bitset> {
    if (this.#whole === null) return among;
    const whole = this.#whole.documents.clone().and(among);
    yield* this.#offerAll(top, yield* whole.ordinals());
    return among.clone().andNot(whole);
  }

  *#offerAll(top: TopK, ordinals: Int32Array): Steps<void> {
    const scores = this.#scope.scratch.numbers('best', ordinals.length);
    yield* this.scoresOf(ordinals, scores);
    for (let i = 0; i < ordinals.length; i += 1) {
      top.offer(ordinals[i] ?? 0, scores[i] ?? 0);
      if (isPauseDue(scoreUnits)) yield;
    }
  }

  /** Of very many words: those of which all that they hold could not be enough are left out, of the others each is scored. */
  *#offerHeaviest(top: TopK, among: Bitset, count: number): Steps<void> {
    const { capacity, scratch } = this.#scope;
    const most = yield* fillSteps(scratch.numbers('covered', capacity), 0);
    yield* sumAllWeights(this.#words, most);
    const heaviest = new TopK(Math.max(scoredMax, 2 * count), (a, b) => a < b);
    yield* among.visit((ordinal) => {
      heaviest.offer(ordinal, most[ordinal] ?? 0);
    });
    const first = new Bitset(capacity);
    for (const ordinal of (yield* heaviest.sorted()).ordinals) first.add(ordinal);
    yield* this.#offerKnown(top, first);
    const least = top.least * slack;
    const others = new Bitset(capacity);
    yield* among.visit((ordinal) => {
      if ((most[ordinal] ?? 0) >= least && !first.has(ordinal)) others.add(ordinal);
    });
    yield* this.#offerKnown(top, others);
  }

  *#offerKnown(top: TopK, documents: Bitset): Steps<void> {
    yield* this.know(documents);
    yield* this.#offerScored(top, documents);
  }

  /** All of them are known. */
  *#offerScored(top: TopK, documents: Bitset): Steps<void> {
    const scores = this.#known.scores;
    yield* documents.visit((ordinal) => {
      top.offer(ordinal, scores[ordinal] ?? 0);
    });
  }

  /** Those first that can score most by the words that they hold, until nobody who is left can be among the best. */
  *#offerByBounds(top: TopK, among: Bitset, masked: MaskedDocuments): Steps<void> {
    const mostOf = new Map<WordHolders, number>();
    let most = 0;
    for (const word of this.#words) {
      const mostOfWord = word.weight * (yield* this.#largestShareOf(word));
      mostOf.set(word, mostOfWord);
      most += mostOfWord;
    }
    const found = new Set(masked.slots.map(({ word }) => word));
    const others = this.#words.reduce(
      (sum, word) => sum + (found.has(word) ? 0 : (mostOf.get(word) ?? 0)),
      0,
    );
    const bounds = new MaskSums(masked.slots.map(({ word }) => mostOf.get(word) ?? 0));
    const bounded = yield* BoundedDocuments.of(among, masked, { bounds, most, others });
    const chunk = this.#chunk;
    for (let from = 0; from < bounded.ordinals.length; from += boundedAtOnce) {
      if (bounded.boundAt(from) < top.least * slack) return;
      const part = bounded.ordinals.subarray(from, from + boundedAtOnce).sort();
      const scores = chunk.scores.subarray(0, part.length);
      this.#score(part, scores);
      for (let i = 0; i < part.length; i += 1) top.offer(part[i] ?? 0, scores[i] ?? 0);
      if (isPauseDue(part.length * this.#words.length * scoreUnits)) yield;
    }
  }

  *#largestShareOf(word: WordHolders): Steps<number> {
    const { list } = word;
    const measure = this.#measureOf(word);
    yield* list.prepare(measure);
    let most = 0;
    for (let block = 0; block < list.blocks; block += 1) {
      most = Math.max(most, list.mostIn(block, measure));
      if (isPauseDue(scoreUnits)) yield;
    }
    return most;
  }

  /** A superset of the best, ascending: those whose estimated score reaches that of the worst of them, a rounding error aside. */
  *#mayBeBest(count: number, among: Bitset): Steps<Int32Array> {
    const best = new BestSums(count);
    const scanned: ScannedWord[] = [];
    for (const word of this.#words) {
      const { list, weight } = word;
      const measure = this.#measureOf(word);
      yield* list.prepare(measure);
      scanned.push({
        list,
        most: weight,
        mostIn: (block) => weight * list.mostIn(block, measure),
        add: (batch, cursor) => this.#addScores(word, cursor, batch),
      });
    }
    yield* new LayeredScan(scanned, among).run(best);
    return yield* best.ordinals();
  }

  #measureOf({ largestShare }: WordHolders): Measure {
    const { lengths } = this.#index;
    const { weights, ranking } = this.#scope;
    return {
      k1: ranking.k1,
      b: ranking.b,
      largestShare,
      meanLength: this.#meanLength,
      lengthOf: (ordinal) => lengths.of(ordinal, weights),
      countsAll: this.#countsAll,
    };
  }

  #addScores({ weight, largestShare }: WordHolders, cursor: HolderCursor, batch: Batch): void {
    const { ordinals, sums, count } = batch;
    const { lengths } = this.#index;
    const { weights, ranking } = this.#scope;
    for (let i = 0; i < count; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      cursor.advance(ordinal);
      if (cursor.ordinal !== ordinal) continue;
      const ratio = lengths.of(ordinal, weights) / this.#meanLength;
      sums[i] = (sums[i] ?? 0) + weight * saturation(cursor.frequency / largestShare, ratio, ranking);
    }
  }

  /** Whether all postings of the words are fewer than what it takes to look for so many documents. */
  #isMany(documents: number): boolean {
    return documents * this.#words.length * lookPostings > postingsOf(this.#words);
  }

  *#knowAll(documents: Bitset): Steps<Float64Array> {
    const scores = this.#known.scores;
    const ratios = this.#scope.scratch.numbers('ratios', this.#scope.capacity);
    const { lengths } = this.#index;
    const { weights, ranking } = this.#scope;
    const meanLength = this.#meanLength;
    yield* documents.visit((ordinal) => {
      ratios[ordinal] = lengths.of(ordinal, weights) / meanLength;
      scores[ordinal] = 0;
    });
    yield* sumAllScores(this.#words, { among: documents, ratios, ...ranking }, scores);
    this.#known.documents.or(documents);
    if (this.#whole === null) return scores;
    const { documents: whole, adds } = this.#whole;
    yield* whole.visit((ordinal) => {
      if (documents.has(ordinal)) scores[ordinal] = (scores[ordinal] ?? 0) + adds;
    });
    return scores;
  }

  /** The first of the chunk are known then. */
  #scoreChunk(count: number): void {
    const ordinals = this.#chunk.ordinals.subarray(0, count);
    const scores = this.#chunk.scores.subarray(0, count);
    this.#score(ordinals, scores);
    this.#known.add(ordinals, scores);
  }

  #score(ordinals: Int32Array, scores: Float64Array): void {
    const { lengths } = this.#index;
    const { weights, ranking } = this.#scope;
    scores.fill(0);
    for (const { list, weight, largestShare } of this.#words) {
      if (list.blocks === 0) continue;
      const cursor = this.#cursor.open(list);
      for (let i = 0; i < ordinals.length; i += 1) {
        const ordinal = ordinals[i] ?? 0;
        cursor.advance(ordinal);
        if (cursor.ordinal !== ordinal) continue;
        const ratio = lengths.of(ordinal, weights) / this.#meanLength;
        scores[i] = (scores[i] ?? 0) + weight * saturation(cursor.frequency / largestShare, ratio, ranking);
      }
    }
    if (this.#whole === null) return;
    const { documents, adds } = this.#whole;
    for (let i = 0; i < ordinals.length; i += 1)
      if (documents.has(ordinals[i] ?? 0)) scores[i] = (scores[i] ?? 0) + adds;
  }
}
