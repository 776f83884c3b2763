import { type Analyzer, english, queryWords, synonymWords } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { Synonym as QuerySynonym } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';
import type { ActingSynonym } from '#shared/search.ts';
import type { Synonym } from '#shared/synonyms.ts';
import { compareIds } from '../id-order.ts';
import { PhraseMap } from './phrase-map.ts';
import { inOrder, type RuleChange } from './rule-change.ts';

/** What a phrase of a query is widened by. */
interface Widening {
  synonym: Synonym;
  /** As it was written. */
  from: string;
}

/** The words of a synonym's members: kept of those that have acted lately, as most never do. */
type Members = { text: string; words: readonly string[] }[];

/** Synonyms whose words are kept. */
const membersMax = 256;
/** Words of a query that are looked at: stems of some languages take a seventh of a millisecond each, and there is no pause. */
const wordsMax = 128;
/** Texts that are cut into words without a pause. */
const textsAtOnce = 16;

/** The synonyms of a collection by the words that they widen, as words are compared in texts: folded and stemmed. */
export class SynonymIndex {
  readonly #analyzer: Analyzer;
  readonly #byWords: PhraseMap<Widening>;
  readonly #members = new Map<Synonym, Members>();

  private constructor(analyzer: Analyzer, byWords: PhraseMap<Widening>) {
    this.#analyzer = analyzer;
    this.#byWords = byWords;
  }

  /** In the order of their ids. */
  static *of(synonyms: Synonym[], analyzer: Analyzer = english): Steps<SynonymIndex> {
    const index = new SynonymIndex(analyzer, new PhraseMap());
    yield* index.#add(synonyms);
    return index;
  }

  /** The same with a few changes, of which alone it costs. */
  *with({ put, remove }: RuleChange<Synonym>): Steps<SynonymIndex> {
    const gone = new Set([...remove, ...put.map(({ id }) => id)]);
    const below = {
      map: this.#byWords,
      isGone: ({ synonym }: Widening) => gone.has(synonym.id),
      compare: (a: Widening, b: Widening) => compareIds(a.synonym.id, b.synonym.id),
    };
    const index = new SynonymIndex(this.#analyzer, new PhraseMap(below));
    yield* index.#add(inOrder(put));
    return index;
  }

  *#add(synonyms: Synonym[]): Steps<void> {
    let texts = 0;
    for (const synonym of synonyms) {
      for (const from of synonym.root === null ? synonym.synonyms : [synonym.root]) {
        this.#byWords.add(this.#stemsOf(this.#wordsOf(from)), { synonym, from });
        texts += 1;
        if (texts % textsAtOnce === 0) yield;
      }
    }
  }

  /** Those that act on a text, of which only so many are used. */
  widen(text: string): { synonyms: QuerySynonym[]; acting: ActingSynonym[] } {
    const synonyms: QuerySynonym[] = [];
    const acting: ActingSynonym[] = [];
    // Most collections have none, and need not have each query cut into words twice.
    if (this.#byWords.isEmpty) return { synonyms, acting };
    const words = this.#wordsOf(text).slice(0, wordsMax);
    let left: number = limits.synonymAlternativesMax;
    for (const { values, start, end } of this.#byWords.in(this.#stemsOf(words))) {
      for (const { synonym, from } of values) {
        if (left === 0) return { synonyms, acting };
        const others = this.#othersOf(synonym, from).slice(0, left);
        if (others.length === 0) continue;
        left -= others.length;
        synonyms.push({ words: words.slice(start, end), alternatives: others.map((other) => other.words) });
        acting.push({ id: synonym.id, word: from, alternatives: others.map((other) => other.text) });
      }
    }
    return { synonyms, acting };
  }

  #wordsOf(text: string): readonly string[] {
    return queryWords(text, this.#analyzer.words);
  }

  #soughtOf(text: string): readonly string[] {
    return synonymWords(text, this.#analyzer.words);
  }

  #stemsOf(words: readonly string[]): string[] {
    return words.map((word) => this.#analyzer.stem(word));
  }

  #othersOf(synonym: Synonym, from: string): Members {
    const members =
      this.#members.get(synonym) ?? synonym.synonyms.map((text) => ({ text, words: this.#soughtOf(text) }));
    if (this.#members.size >= membersMax) this.#members.clear();
    this.#members.set(synonym, members);
    const own = this.#soughtOf(from).join(' ');
    return members.filter(({ words }) => words.length > 0 && words.join(' ') !== own);
  }
}
