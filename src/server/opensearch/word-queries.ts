import type { NearWord, WordFigures, WordPlan } from '#server/engine/merged-types.ts';
import { type Analyzer, synonymsOf, wordWeight } from '#server/engine/search-index.ts';
import type { SearchQuery, Synonym } from '#server/engine/types.ts';
import { slotName } from './field-names.ts';
import { anyOf, prefix, type Query, term } from './query.ts';

/** A word of a query as the cluster is asked for it. */
export interface WordQueries {
  plan: WordPlan;
  /** As typed, or as a synonym. */
  own: Query;
  /** So, or as the beginning of a longer word. */
  exact: Query;
  /** A word one typo away; up to two. */
  oneAway: Query;
  near: Query;
  neighbours: { word: string; query: Query }[];
}

/** What documents hold words in. */
interface SearchedFields {
  /** With what each counts. */
  terms: { field: string; weight: number }[];
  /** Words as they stand there. */
  words: string[];
}

/** What an index among several says of a word. */
interface OwnFigures {
  documents: number;
  figures: WordFigures;
}

/** How a document holds a word of another text. */
interface Variant {
  query: Query;
  share: number;
}

/** Half, as in the embedded engine: see its `variants.ts`. */
const breakShare = 0.5;

/** The words of a search, and what of a document's score they make. */
export class WordQueryMaker {
  readonly #query: SearchQuery;
  readonly #analyzer: Analyzer;
  readonly #synonyms: Synonym[];
  readonly #fields: SearchedFields;

  constructor(query: SearchQuery, analyzer: Analyzer) {
    this.#query = query;
    this.#analyzer = analyzer;
    this.#synonyms = synonymsOf(query, analyzer);
    this.#fields = searchedFields(query);
  }

  /** `isBeginning`: whether it also stands for the words it begins. */
  queriesOf(plan: WordPlan, isBeginning: boolean): WordQueries {
    const { neighbours, isBeginningOnly } = plan;
    const variants = this.#synonymsOf(plan).map(({ query }) => query);
    const own = isBeginningOnly ? anyOf([]) : anyOf([this.#held(plan.text), ...variants]);
    const longer = isBeginning ? this.#begun(plan.text) : [];
    const near = neighbours.map(({ word, distance }) => ({ word, distance, query: this.#held(word) }));
    const within = (most: number) =>
      anyOf(near.filter(({ distance }) => distance <= most).map(({ query }) => query));
    return {
      plan,
      own,
      exact: anyOf([own, ...longer]),
      oneAway: within(1),
      near: within(2),
      neighbours: near,
    };
  }

  /** A word whose documents are counted in any field. */
  anywhere(word: string): Query {
    return term('terms', this.#analyzer.stem(word));
  }

  /** Words in a row in one text of a searched field; one word as it is held everywhere. */
  inRow(words: string[]): Query {
    const [only = ''] = words;
    if (words.length === 1) return this.#held(only);
    const query = words.map((word) => this.#analyzer.stem(word)).join(' ');
    return anyOf(this.#fields.terms.map(({ field }) => ({ match_phrase: { [field]: { query } } })));
  }

  /** `unit`: what the cluster's BM25 is of ours. */
  scoreOf(
    { plan }: WordQueries,
    figures: WordFigures,
    { documents, unit, own }: { documents: number; unit: number; own: OwnFigures | null },
  ) {
    const { ranking } = this.#query;
    // The cluster weighs a term by its own documents.
    const ratio =
      own === null || own.figures.exact === 0
        ? 1
        : wordWeight(plan, { figures, documents }, ranking) / wordWeight(plan, own, ranking);
    const counted = plan.count * plan.share * ratio;
    const parts: Query[] = [];
    const addTerm = (word: string, share: number) => {
      for (const { field, weight } of this.#fields.terms)
        parts.push({
          term: { [field]: { value: this.#analyzer.stem(word), boost: counted * weight * share } },
        });
    };
    if (!plan.isBeginningOnly) addTerm(plan.text, 1);
    const weight = unit * wordWeight(plan, { figures, documents }, ranking);
    // As a word that stands so often in a document of usual length: no synonym, however rare, counts more than the word.
    const addConstant = (filter: Query, frequency: number) =>
      parts.push({ constant_score: { filter, boost: (weight * frequency) / (frequency + ranking.k1) } });
    for (const { query, share } of this.#synonymsOf(plan)) addConstant(query, share);
    const isHeld = figures.exact > 0;
    if (isHeld && figures.exact > figures.own)
      for (const begun of this.#begun(plan.text))
        addConstant(begun, figures.own > 0 ? ranking.prefixShare : 1);
    const nearest = ranking.typoShares[figures.nearest === 2 ? 2 : 1] || 1;
    const certainty = ranking.certainty[figures.nearest === 2 ? 2 : 1];
    for (const { word, distance } of plan.neighbours) {
      const share = ranking.typoShares[distance === 2 ? 2 : 1];
      addTerm(word, isHeld ? share : (certainty * share) / nearest);
    }
    return { dis_max: { queries: parts, tie_breaker: 0 } };
  }

  #held(word: string): Query {
    const stem = this.#analyzer.stem(word);
    return anyOf(this.#fields.terms.map(({ field }) => term(field, stem)));
  }

  #begun(word: string): Query[] {
    return this.#fields.words.map((field) => prefix(field, word));
  }

  #synonymsOf({ text, breaks, isQuoted }: WordPlan): Variant[] {
    if (isQuoted) return [];
    const { synonymShare } = this.#query.ranking;
    const named = this.#synonyms.flatMap(({ words, alternatives }) =>
      words.includes(text) ? alternatives : [],
    );
    const own = this.#analyzer.stem(text);
    const isOther = (words: string[]) => words.length !== 1 || this.#analyzer.stem(words[0] ?? '') !== own;
    const of = (share: number) => (words: string[]) => ({ query: this.inRow(words), share });
    return [...named.filter(isOther).map(of(synonymShare)), ...breaks.filter(isOther).map(of(breakShare))];
  }
}

function searchedFields({ fields }: Pick<SearchQuery, 'fields'>): SearchedFields {
  if (fields === null) return { terms: [{ field: 'terms', weight: 1 }], words: ['words'] };
  const named = fields.filter(({ weight }) => weight > 0);
  return {
    terms: named.map(({ name, weight }) => ({ field: slotName('t', name), weight })),
    words: named.flatMap(({ name }) => [slotName('w', name), slotName('y', name)]),
  };
}

/** Words that the cluster says are alike, those that are: the nearest first, then those that more documents hold. */
export function sortedNear(words: NearWord[], max: number): NearWord[] {
  const order = (a: NearWord, b: NearWord) =>
    a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1);
  return words.toSorted(order).slice(0, max);
}
