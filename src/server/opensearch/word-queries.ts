import type { NearWord, WordFigures, WordPlan } from '#server/engine/merged-types.ts';
import { type Analyzer, synonymsOf, wordWeight } from '#server/engine/search-index.ts';
import type { SearchQuery, Synonym } from '#server/engine/types.ts';
import { slotName } from './field-names.ts';
import type { OpenedIndex } from './opened-index.ts';
import { anyOf, nothing, prefix, type Query, term } from './query.ts';

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

/** What documents hold words in; no path: all fields. */
interface SearchedFields {
  /** With what each counts; `content`: the same without stop words. */
  terms: { field: string; content: string; path: string | null; weight: number }[];
  /** Words as they stand there. */
  words: { field: string; path: string | null }[];
}

/** A way in which a document may hold a word, with what it counts. */
export interface ScoredWay {
  kind: 'word' | 'synonym' | 'prefix' | 'typo';
  typos: number;
  /** Null: any field. */
  path: string | null;
  query: Query;
}

interface Scoring {
  documents: number;
  /** What the cluster's BM25 is of ours. */
  unit: number;
  own: OwnFigures | null;
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

const stopStems = new WeakMap<Analyzer, ReadonlySet<string>>();

/** Terms that documents may hold as stop words: as such they are not among their content. */
function stopStemsOf(analyzer: Analyzer): ReadonlySet<string> {
  const known = stopStems.get(analyzer);
  if (known !== undefined) return known;
  const stems = new Set(Array.from(analyzer.stopWords, (word) => analyzer.stem(word)));
  stopStems.set(analyzer, stems);
  return stems;
}

/** Half, as in the embedded engine: see its `variants.ts`. */
const breakShare = 0.5;

/** The words of a search, and what of a document's score they make. */
export class WordQueryMaker {
  readonly #query: SearchQuery;
  readonly #analyzer: Analyzer;
  readonly #synonyms: Synonym[];
  readonly #fields: SearchedFields;

  constructor(query: SearchQuery, { analyzer, hasContent }: Pick<OpenedIndex, 'analyzer' | 'hasContent'>) {
    this.#query = query;
    this.#analyzer = analyzer;
    this.#synonyms = synonymsOf(query, analyzer);
    this.#fields = searchedFields(query, hasContent);
  }

  /** By whose lengths words count. */
  get contentFields(): { content: string; weight: number }[] {
    return this.#fields.terms;
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
  inRow(words: readonly string[]): Query {
    const [only = ''] = words;
    if (words.length === 1) return this.#held(only);
    const query = words.map((word) => this.#analyzer.stem(word)).join(' ');
    return anyOf(this.#fields.terms.map(({ field }) => ({ match_phrase: { [field]: { query } } })));
  }

  /** As its score, what counts most of the ways in which a document holds the word. `unit`: what the cluster's BM25 is of ours. */
  scoreOf(word: WordQueries, figures: WordFigures, scoring: Scoring): Query {
    const queries = this.scoredWays(word, figures, scoring).map(({ query }) => query);
    // A beginning that nothing has, which is no word itself.
    return queries.length === 0 ? nothing : { dis_max: { queries, tie_breaker: 0 } };
  }

  /** Each of these ways. */
  scoredWays({ plan }: WordQueries, figures: WordFigures, { documents, unit, own }: Scoring): ScoredWay[] {
    const { ranking } = this.#query;
    // The cluster weighs a term by its own documents.
    const ratio =
      own === null || own.figures.exact === 0
        ? 1
        : wordWeight(plan, { figures, documents }, ranking) / wordWeight(plan, own, ranking);
    const counted = plan.count * plan.share * ratio;
    const ways: ScoredWay[] = [];
    const addTerm = (
      kind: ScoredWay['kind'],
      { word, share, typos }: { word: string; share: number; typos: number },
    ) => {
      const stem = this.#analyzer.stem(word);
      const isContent = !stopStemsOf(this.#analyzer).has(stem);
      for (const { field, content, path, weight } of this.#fields.terms) {
        const term = { [isContent ? content : field]: { value: stem, boost: counted * weight * share } };
        ways.push({ kind, typos, path, query: { term } });
      }
    };
    if (!plan.isBeginningOnly) addTerm('word', { word: plan.text, share: 1, typos: 0 });
    const weight = unit * wordWeight(plan, { figures, documents }, ranking);
    // As a word that stands so often in a document of usual length: no synonym, however rare, counts more than the word.
    const addConstant = (
      kind: ScoredWay['kind'],
      filter: Query,
      { frequency, path }: { frequency: number; path: string | null },
    ) => {
      const boost = (weight * frequency) / (frequency + ranking.k1);
      ways.push({ kind, typos: 0, path, query: { constant_score: { filter, boost } } });
    };
    for (const { query, share } of this.#synonymsOf(plan))
      addConstant('synonym', query, { frequency: share, path: null });
    const isHeld = figures.exact > 0;
    if (isHeld && figures.exact > figures.own)
      for (const { field, path } of this.#fields.words)
        addConstant('prefix', prefix(field, plan.text), {
          frequency: figures.own > 0 ? ranking.prefixShare : 1,
          path,
        });
    const nearest = ranking.typoShares[figures.nearest === 2 ? 2 : 1] || 1;
    const certainty = ranking.certainty[figures.nearest === 2 ? 2 : 1];
    for (const { word, distance } of plan.neighbours) {
      const share = ranking.typoShares[distance === 2 ? 2 : 1];
      addTerm('typo', { word, share: isHeld ? share : (certainty * share) / nearest, typos: distance });
    }
    return ways;
  }

  #held(word: string): Query {
    const stem = this.#analyzer.stem(word);
    return anyOf(this.#fields.terms.map(({ field }) => term(field, stem)));
  }

  #begun(word: string): Query[] {
    return this.#fields.words.map(({ field }) => prefix(field, word));
  }

  #synonymsOf({ text, breaks, isQuoted }: WordPlan): Variant[] {
    if (isQuoted) return [];
    const { synonymShare } = this.#query.ranking;
    const named = this.#synonyms.flatMap(({ words, alternatives }) =>
      words.includes(text) ? alternatives : [],
    );
    const own = this.#analyzer.stem(text);
    const isOther = (words: readonly string[]) =>
      words.length !== 1 || this.#analyzer.stem(words[0] ?? '') !== own;
    const of = (share: number) => (words: readonly string[]) => ({ query: this.inRow(words), share });
    return [...named.filter(isOther).map(of(synonymShare)), ...breaks.filter(isOther).map(of(breakShare))];
  }
}

function searchedFields({ fields }: Pick<SearchQuery, 'fields'>, hasContent: boolean): SearchedFields {
  if (fields === null)
    return {
      terms: [{ field: 'terms', content: hasContent ? 'content' : 'terms', path: null, weight: 1 }],
      words: [{ field: 'words', path: null }],
    };
  const named = fields.filter(({ weight }) => weight > 0);
  return {
    terms: named.map(({ name, weight }) => ({
      ...{ field: slotName('t', name), content: slotName(hasContent ? 'c' : 't', name) },
      ...{ path: name, weight },
    })),
    words: named.flatMap(({ name }) => [
      { field: slotName('w', name), path: name },
      { field: slotName('y', name), path: name },
    ]),
  };
}

/** Words that the cluster says are alike, those that are: the nearest first, then those that more documents hold. */
export function sortedNear(words: NearWord[], max: number): NearWord[] {
  const order = (a: NearWord, b: NearWord) =>
    a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1);
  return words.toSorted(order).slice(0, max);
}
