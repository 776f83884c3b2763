/**
 * The BM25 scores of some documents taken apart: which word of the query each holds, how, in which field, and what that adds. Costs a look into
 * the list of each term for each of the documents.
 */
import { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import { saturation } from '../../lexical/bm25.ts';
import type { KeywordMatches } from '../../lexical/keyword-search.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { PhraseFinder } from '../../lexical/phrase-finder.ts';
import { PostingCursor } from '../../lexical/posting-cursor.ts';
import { fieldOf, frequencyOf, type PostingForms } from '../../lexical/posting-forms.ts';
import { figuresOf } from '../../lexical/read-query.ts';
import type { WordFigures } from '../../merged-types.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { Ranking, SearchQuery } from '../../types.ts';
import { WorkBudget } from '../../work-budget.ts';
import { assertRoom } from '../answer-too-large-error.ts';
import type { ExplainedMatch, ExplainedWords } from './explanation.ts';
import { readWord, type Variant } from './word-variants.ts';

/** To come to a list. */
const listUnits = 16;
/** What a match has at least, as it is written. */
const matchBytes = 80;
/** Forms of a word that are named. */
const formsMax = 10;

type Read = Pick<KeywordMatches, 'words' | 'totals' | 'whole'>;
interface WordParts {
  lexical: LexicalIndex;
  documents: DocumentTable;
}

/** By ordinal, for those that are given. @throws TooDearError, AnswerTooLargeError */
export function* explainWords(
  parts: WordParts,
  query: Pick<SearchQuery, 'fields' | 'ranking' | 'answerBytesMax'>,
  { words, totals, whole, ordinals }: Read & { ordinals: Int32Array },
): Steps<Map<number, ExplainedWords>> {
  const explained = new Map<number, ExplainedWords>();
  if (totals === null) return explained;
  const { lexical } = parts;
  const weights = lexical.searchedWeights(query.fields, query.ranking.titleWeight);
  const meanLength = totals.length / Math.max(1, totals.documents) || 1;
  for (const ordinal of ordinals) {
    const length = lexical.lengths.of(ordinal, weights);
    const wholeTitle = whole?.documents.has(ordinal) === true ? whole.adds : 0;
    explained.set(ordinal, { score: 0, length, meanLength, words: [], missing: [], wholeTitle, coverage: 0 });
  }
  let bytes = 0;
  let asked = 0;
  const matches = new PageMatches(parts, { weights, fields: query.fields }, ordinals);
  for (const [place, word] of words.entries()) {
    const figures = figuresOf(totals, place);
    const { variants, ...read } = readWord(word, { figures, documents: totals.documents }, query.ranking);
    const held = yield* matches.of(variants);
    const isAsked = !word.isBeginningOnly;
    if (isAsked) asked += read.weight;
    bytes += matches.count * matchBytes + ordinals.length * word.text.length;
    assertRoom(bytes, query);
    for (const [ordinal, own] of explained) {
      const found = held.get(ordinal);
      if (found === undefined) {
        own.missing.push(word.text);
        continue;
      }
      const amount = found.reduce((sum, each) => sum + each.amount, 0);
      const ratio = own.length / meanLength;
      const earned = saturation(amount / read.largestShare, ratio, query.ranking);
      const score = read.weight * earned;
      own.words.push({
        word: word.text,
        count: word.count,
        documents: read.documents,
        weight: read.weight,
        saturation: earned,
        score,
        matches: found.map((each) => toMatch(each, score * (each.amount / amount))).sort(byScore),
      });
      own.score += score;
      if (isAsked) own.coverage += read.weight * coverageBy(found, figures, query.ranking);
    }
    if (isPauseDue(ordinals.length * listUnits)) yield;
  }
  for (const own of explained.values()) {
    own.score += own.wholeTitle;
    own.coverage = asked > 0 ? Math.min(1, own.coverage / asked) : 0;
  }
  return explained;
}

/** How much of a word a document holds: less where it has only a neighbour of one that others have. */
function coverageBy(
  found: readonly Held[],
  { exact }: Pick<WordFigures, 'exact'>,
  { coveredByTypo }: Pick<Ranking, 'coveredByTypo'>,
): number {
  return exact === 0 || found.some(({ kind }) => kind !== 'typo') ? 1 : coveredByTypo;
}

/** Of one document, all that stands for a word in one field and in one way. */
type Held = Omit<ExplainedMatch, 'score'> & {
  /** Frequency times both weights. */
  amount: number;
};

function toMatch({ amount: _, forms, ...held }: Held, score: number): ExplainedMatch {
  return { ...held, forms: [...new Set(forms)].sort().slice(0, formsMax), score };
}

/** The fields of a form, with the frequency in each. */
function partsOf(forms: PostingForms, form: number): [field: number, frequency: number][] {
  const start = forms.start(form);
  return Array.from({ length: forms.end(form) - start }, (_, i) => {
    const part = forms.partAt(start + i);
    return [fieldOf(part), frequencyOf(part)];
  });
}

/** An order that does not depend on how the index came about. */
function byScore(a: ExplainedMatch, b: ExplainedMatch): number {
  if (a.score !== b.score) return b.score - a.score;
  const [first, second] = [a, b].map(({ field, kind, typos }) => JSON.stringify([field, kind, typos]));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** Looks for words in the documents of a page. */
class PageMatches {
  readonly #parts: WordParts;
  readonly #page: Bitset;
  /** Of the page, ascending. */
  readonly #ordinals: Int32Array;
  readonly #cursor: PostingCursor;
  readonly #weights: Float64Array | null;
  readonly #fields: SearchQuery['fields'];
  readonly #budget = new WorkBudget('words');
  #held = new Map<number, Map<string, Held>>();
  #count = 0;

  constructor(
    parts: WordParts,
    { weights, fields }: { weights: Float64Array | null; fields: SearchQuery['fields'] },
    ordinals: Int32Array,
  ) {
    this.#parts = parts;
    this.#weights = weights;
    this.#fields = fields;
    this.#page = new Bitset(parts.documents.capacity);
    for (const ordinal of ordinals) this.#page.add(ordinal);
    this.#ordinals = ordinals.toSorted();
    this.#cursor = new PostingCursor(parts.lexical.postings);
  }

  /** Of the last word. */
  get count(): number {
    return this.#count;
  }

  /** By ordinal; a document that holds none of the variants is not there. */
  *of(variants: Iterable<Variant>): Steps<Map<number, Held[]>> {
    this.#held = new Map();
    this.#count = 0;
    for (const variant of variants) {
      const [only = -1] = variant.terms;
      if (variant.terms.length === 1) yield* this.#lookFor(only, variant);
      else yield* this.#lookForPhrase(variant);
    }
    return new Map(Array.from(this.#held, ([ordinal, held]) => [ordinal, [...held.values()]]));
  }

  *#lookFor(term: number, variant: Variant): Steps<void> {
    const { postings, dictionary } = this.#parts.lexical;
    if (variant.share === 0) return;
    const form = variant.text ?? dictionary.textOf(term);
    const cursor = this.#cursor.open(postings.listOf(term));
    for (const ordinal of this.#ordinals) {
      if (!cursor.advance(ordinal)) break;
      if (cursor.ordinal !== ordinal) continue;
      for (const [field, frequency] of partsOf(postings.forms, cursor.form))
        if (this.#weightOf(field) > 0) this.#take(ordinal, variant, { field, form, frequency });
    }
    if (isPauseDue(this.#ordinals.length * listUnits)) yield;
  }

  /** Field by field, so that each has its part. */
  *#lookForPhrase(variant: Variant): Steps<void> {
    const { lexical, documents } = this.#parts;
    const { dictionary } = lexical;
    const form = variant.terms.map((term) => dictionary.textOf(term)).join(' ');
    const [first = -1] = variant.terms;
    const page = {
      live: this.#page,
      capacity: documents.capacity,
      sourceOf: this.#sourceOf,
      sourceBytesOf: (ordinal: number) => documents.sourceBytesOf(ordinal),
    };
    for (const field of this.#fieldsOf(first)) {
      const weight = this.#weightOf(field);
      if (weight === 0) continue;
      const alone = lexical.weightsOf([]);
      alone[field] = 1;
      const finder = new PhraseFinder(
        { lexical, documents: page, weights: alone, kept: null },
        { fields: this.#fields },
        this.#budget,
      );
      const found = yield* finder.find([...variant.terms]);
      for (const [i, ordinal] of found.ordinals.entries())
        this.#take(ordinal, variant, { field, form, frequency: found.frequencies[i] ?? 0 });
    }
  }

  /** In which documents of the page hold a term. */
  #fieldsOf(term: number): Set<number> {
    const { postings } = this.#parts.lexical;
    const fields = new Set<number>();
    const cursor = this.#cursor.open(postings.listOf(term));
    for (const ordinal of this.#ordinals) {
      if (!cursor.advance(ordinal)) break;
      if (cursor.ordinal !== ordinal) continue;
      for (const [field] of partsOf(postings.forms, cursor.form)) fields.add(field);
    }
    return fields;
  }

  readonly #sourceOf = (ordinal: number): string => this.#parts.documents.sourceOf(ordinal);

  #take(
    ordinal: number,
    { kind, typos, share }: Variant,
    { field, form, frequency }: { field: number; form: string; frequency: number },
  ): void {
    const fieldWeight = this.#weightOf(field);
    const amount = share * fieldWeight * frequency;
    const own = this.#held.get(ordinal) ?? new Map<string, Held>();
    this.#held.set(ordinal, own);
    const key = `${kind} ${typos} ${field}`;
    const known = own.get(key);
    if (known === undefined) {
      this.#count += 1;
      const name = this.#parts.lexical.fieldNamed(field);
      own.set(key, { field: name, kind, typos, forms: [form], frequency, fieldWeight, share, amount });
      return;
    }
    known.frequency += frequency;
    known.amount += amount;
    known.forms.push(form);
  }

  #weightOf(field: number): number {
    return this.#weights === null ? 1 : (this.#weights[field] ?? 0);
  }
}
