import type {
  BreakFigures,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  NearWord,
  NearWords,
  WordFigures,
  WordPlan,
} from '#server/engine/merged-types.ts';
import {
  type Analyzer,
  askedPhrases,
  figuresOf,
  lettersOf,
  TypoMatcher,
  typosAllowed,
  typosAtMost,
  wordWeight,
} from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { AskSearches } from './multi-search.ts';
import type { OpenedIndex } from './opened-index.ts';
import { allOf, anyOf, noneOf, type Query, term } from './query.ts';
import { WordCounts } from './word-counts.ts';
import { type ScoredWay, sortedNear, type WordQueries, WordQueryMaker } from './word-queries.ts';
import { suggestion } from './word-suggestion.ts';

/** As many as the embedded engine looks at. */
const neighboursMax = 100;

/**
 * What the words of a search match, and what their scores are. How they are read is decided by the embedded engine's own code, from figures that the
 * cluster counts, as for an index among several.
 */
export class KeywordSearch {
  readonly #ask: AskSearches;
  readonly #query: SearchQuery;
  readonly #analyzer: Analyzer;
  readonly #maker: WordQueryMaker;
  /** Whether a word is one of the index, as it was typed. */
  readonly #isWord = new Map<string, boolean>();
  readonly #counts: WordCounts;
  /** Of this index, where the totals are those of several. */
  #own: KeywordFigures | null = null;

  /** `documents`: how many the index has. */
  constructor(
    ask: AskSearches,
    query: SearchQuery,
    { analyzer, hasContent, documents }: Pick<OpenedIndex, 'analyzer' | 'hasContent'> & { documents: number },
  ) {
    this.#ask = ask;
    this.#query = query;
    this.#analyzer = analyzer;
    this.#counts = new WordCounts(ask, documents);
    this.#maker = new WordQueryMaker(query, { analyzer, hasContent });
  }

  /** By whose lengths words count. */
  get contentFields(): { content: string; weight: number }[] {
    return this.#maker.contentFields;
  }

  /** Documents that have the phrases of the query and none of its exclusions. */
  get admitted(): Query {
    const asked = askedPhrases(this.#query.text, this.#analyzer);
    return allOf(
      asked.map(({ kind, words }) => {
        const held = this.#maker.inRow(words);
        return kind === 'phrase' ? held : noneOf([held]);
      }),
    );
  }

  async figures({ words, totals, lookUps, breaks, wantsCovered }: KeywordQuestion): Promise<KeywordFigures> {
    await this.#learnWords(words);
    const queries = this.#queriesOf(words);
    const sure = queries.map((word, place) => surelyOf(word, totals && figuresOf(totals, place)));
    const needed = sure.filter((_, place) => words[place]?.isNeeded);
    const filters: Record<string, Query> = { full: allOf([this.admitted, ...needed]) };
    queries.forEach(({ own, exact, oneAway, near, plan }, place) => {
      filters[`own${place}`] = own;
      filters[`exact${place}`] = exact;
      if (plan.neighbours.length === 0) return;
      filters[`one${place}`] = oneAway;
      filters[`near${place}`] = near;
    });
    breaks.forEach((parts, place) => {
      parts.forEach((part, i) => {
        filters[`break${place} ${i}`] = this.#maker.anywhere(part);
      });
    });
    const [{ total, counts }, nearWords] = await Promise.all([
      this.#counts.of(filters),
      lookUps.length === 0 ? [] : this.#nearWords(words, lookUps),
    ]);
    const countOf = (name: string) => counts[name] ?? 0;
    const figures = words.map(({ text }, place): WordFigures => {
      const exact = countOf(`exact${place}`);
      const [one, near] = exact > 0 ? [0, 0] : [countOf(`one${place}`), countOf(`near${place}`)];
      const nearest = one > 0 ? 1 : near > 0 ? 2 : 0;
      return {
        own: countOf(`own${place}`),
        exact,
        near,
        nearest,
        indexes: Number(this.#isWord.get(text) === true),
      };
    });
    const all = { indexes: 1, documents: total, length: 0, words: figures, full: countOf('full') };
    const known = { words, totals: totals ?? { ...all, covered: 0, nearWords: [], breaks: [] } };
    return {
      ...all,
      covered: wantsCovered ? await this.#mostCovered(known) : 0,
      nearWords,
      breaks: breaks.map(
        (parts, place): BreakFigures => ({
          documents: parts.map((_, i) => countOf(`break${place} ${i}`)),
          characters: 0,
        }),
      ),
    };
  }

  /** What counts as a match, whatever the filters. */
  matches(reading: KeywordReading): Query {
    const { rule, isSure, coveredMin, words, totals } = reading;
    const queries = this.#queriesOf(words);
    const needed = queries.filter(({ plan }) => plan.isNeeded);
    const anyVariant = ({ exact, near, neighbours }: WordQueries) =>
      neighbours.length === 0 ? exact : anyOf([exact, near]);
    const all = allOf([this.admitted, ...needed.map(anyVariant)]);
    if (rule === 'all' && isSure) {
      const sure = queries.map((word, place) => surelyOf(word, figuresOf(totals, place)));
      return allOf([this.admitted, ...sure.filter((_, place) => words[place]?.isNeeded)]);
    }
    if (rule === 'all') return all;
    const finding = queries.filter(({ plan }) => !plan.isBeginningOnly);
    if (rule === 'any') return allOf([this.admitted, anyOf(finding.map(anyVariant))]);
    const reaching = {
      function_score: { query: this.#admittedCoverage(reading), min_score: coveredMin * (1 - 1e-6) },
    };
    return isSure ? reaching : anyOf([all, reaching]);
  }

  /** As its score, how much of the words' weight a document covers. */
  coverage({ words, totals }: Pick<KeywordReading, 'words' | 'totals'>): Query {
    const { ranking } = this.#query;
    const should = this.#queriesOf(words).flatMap((word, place): Query[] => {
      if (word.plan.isBeginningOnly) return [];
      const figures = figuresOf(totals, place);
      const weight = wordWeight(word.plan, { figures, documents: totals.documents }, ranking);
      const isOneAway = figures.nearest === 1;
      const [whole, other, otherwise] =
        figures.exact > 0
          ? [word.exact, word.near, ranking.coveredByTypo]
          : [isOneAway ? word.oneAway : word.near, word.near, ranking.coveredByTwoTypos];
      const parts = [{ constant_score: { filter: whole, boost: weight } }];
      if (word.neighbours.length > 0)
        parts.push({ constant_score: { filter: other, boost: weight * otherwise } });
      return parts.length === 1 ? parts : [{ dis_max: { queries: parts, tie_breaker: 0 } }];
    });
    return { bool: { should, minimum_should_match: 1 } };
  }

  /** What the words weigh together that documents can be found by. */
  askedWeight({ words, totals }: Pick<KeywordReading, 'words' | 'totals'>): number {
    return words.reduce((sum, plan, place) => {
      if (plan.isBeginningOnly) return sum;
      const figures = figuresOf(totals, place);
      return sum + wordWeight(plan, { figures, documents: totals.documents }, this.#query.ranking);
    }, 0);
  }

  /** So that a reading that was decided elsewhere can be asked for; of an index among several, what words weigh in it. */
  async learn({ words, totals }: KeywordReading): Promise<void> {
    this.#own = await this.figures({ words, totals, lookUps: [], breaks: [], wantsCovered: false });
  }

  /** As its score, that of the words. `unit`: what the cluster's BM25 is of ours. */
  scores({ words, totals }: KeywordReading, unit: number): Query[] {
    return this.#queriesOf(words).map((word, place) =>
      this.#maker.scoreOf(word, figuresOf(totals, place), this.#scoring(totals, place, unit)),
    );
  }

  /** The same, word by word, each way for itself. */
  scoredWays({ words, totals }: KeywordReading, unit: number): ScoredWay[][] {
    return this.#queriesOf(words).map((word, place) =>
      this.#maker.scoredWays(word, figuresOf(totals, place), this.#scoring(totals, place, unit)),
    );
  }

  #scoring({ documents }: KeywordFigures, place: number, unit: number) {
    const own = this.#own;
    return {
      documents,
      unit,
      own: own && { documents: own.documents, figures: figuresOf(own, place) },
    };
  }

  /** What matches hold of each word: named filters, and how their counts are read. */
  heldFilters({ words }: KeywordReading): Record<string, Query> {
    const filters: Record<string, Query> = {};
    this.#queriesOf(words).forEach(({ exact, near, neighbours }, place) => {
      filters[`exact${place}`] = exact;
      if (neighbours.length === 0) return;
      filters[`any${place}`] = anyOf([exact, near]);
      neighbours.forEach(({ query }, i) => {
        filters[`near${place} ${i}`] = query;
      });
    });
    return filters;
  }

  #admittedCoverage(reading: Pick<KeywordReading, 'words' | 'totals'>): Query {
    return { bool: { must: [this.coverage(reading)], filter: [this.admitted] } };
  }

  async #mostCovered(known: Pick<KeywordReading, 'words' | 'totals'>): Promise<number> {
    const [reply] = await this.#ask([{ size: 1, query: this.#admittedCoverage(known) }]);
    return reply?.hits.max_score ?? 0;
  }

  #queriesOf(words: WordPlan[]): WordQueries[] {
    return words.map((plan) =>
      this.#maker.queriesOf(plan, plan.isPrefix ?? this.#isWord.get(plan.text) !== true),
    );
  }

  async #learnWords(words: WordPlan[]): Promise<void> {
    const unknown = words.filter(({ text }) => !this.#isWord.has(text));
    if (unknown.length === 0) return;
    const { counts } = await this.#counts.of(
      Object.fromEntries(unknown.map(({ text }, place) => [place, term('words', text)])),
    );
    unknown.forEach(({ text }, place) => {
      this.#isWord.set(text, (counts[place] ?? 0) > 0);
    });
  }

  async #nearWords(words: WordPlan[], lookUps: KeywordQuestion['lookUps']): Promise<NearWords[]> {
    const asked = lookUps.map(({ place, isWide }) => {
      const plan = words[place];
      const text = plan?.text ?? '';
      const most = typosAllowed(text, this.#query.typosMax);
      return {
        text,
        most,
        widest: isWide ? typosAtMost(text, this.#query.typosMax) : most,
        isPrefix: plan?.isPrefix,
      };
    });
    const suggest = Object.fromEntries(
      asked.flatMap(({ text, widest }, i) => (widest === 0 ? [] : [[`near${i}`, suggestion(text, widest)]])),
    );
    if (Object.keys(suggest).length === 0) return asked.map(() => ({ near: [], wide: [] }));
    const [reply] = await this.#ask([{ size: 0, suggest }]);
    return asked.map(({ text, most, widest, isPrefix }, i) => {
      const options = reply?.suggest?.[`near${i}`]?.flatMap((each) => each.options) ?? [];
      const matcher = new TypoMatcher(text, widest);
      const own = this.#analyzer.stem(text);
      const all = options.flatMap(({ text: word, freq }): NearWord[] => {
        const distance = matcher.distanceTo(lettersOf(word));
        const isOwn = this.#analyzer.stem(word) === own || (isPrefix !== false && word.startsWith(text));
        const isNear = distance > 0 && distance <= widest && !isOwn && !this.#analyzer.stopWords.has(word);
        return isNear ? [{ word, distance, documents: freq }] : [];
      });
      const near = sortedNear(
        all.filter(({ distance }) => distance <= most),
        neighboursMax,
      );
      return { near, wide: near.length > 0 ? [] : sortedNear(all, neighboursMax) };
    });
  }
}

/** A word nobody holds is surely held as one a typo away. */
function surelyOf({ exact, oneAway, neighbours }: WordQueries, figures: WordFigures | null): Query {
  return neighbours.length === 0 || figures === null || figures.exact > 0 ? exact : oneAway;
}
