/**
 * The engine's interface: one collection's documents, searchable by words, by meaning and by both. Data in, data out; no clock, no input or
 * output, nothing asynchronous. The same documents give the same answers, whatever batches brought them.
 *
 * A batch is checked before it changes anything, so one that is refused leaves the index as it was.
 */
import { Compaction } from './compaction.ts';
import { putDocument, removeDocument } from './documents/changed-documents.ts';
import { checkedPuts } from './documents/checked-puts.ts';
import { DocumentTable } from './documents/document-table.ts';
import { completeWords } from './lexical/complete-words.ts';
import { LexicalIndex } from './lexical/lexical-index.ts';
import { giveBackScratch, takeScratch } from './memory/search-scratch.ts';
import { addSection, type Piece, type SectionSequence, SectionWriter } from './memory/sections.ts';
import type {
  Agreement,
  Candidates,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  PickedHits,
  SideFigures,
} from './merged-types.ts';
import { ColumnStore } from './query/columns/column-store.ts';
import { explainHits } from './query/explain/explain-hits.ts';
import { type Loss, type LostBy, lossesBy, type Standing, standingOf } from './query/explain/standing.ts';
import { readFilters } from './query/filter/passing-documents.ts';
import { type DocumentsAsked, findDocuments } from './query/find-documents.ts';
import { type IdsAsked, listIds } from './query/list-ids.ts';
import { firstVectors, hitsOfPicked, rankShared, tellSides, tellWords } from './query/merged-steps.ts';
import { checkNames } from './query/names/check-names.ts';
import { judgedFigures } from './query/relevance/judged-figures.ts';
import { runSearch } from './query/run-search.ts';
import { type DocumentSample, type SampleAsked, sampleDocuments } from './query/sample/sample-documents.ts';
import type { IndexParts, SearchParts } from './query/search-parts.ts';
import { runSteps, type Steps } from './steps.ts';
import type {
  CompletedWord,
  EngineAnswer,
  EngineHit,
  FieldView,
  FiguresAsked,
  FoundDocument,
  IndexSettings,
  IndexStats,
  JudgedFigures,
  SearchProgress,
  SearchQuery,
  WriteBatch,
} from './types.ts';
import { VectorTable } from './vector/vector-table.ts';

export { parseJson } from './documents/parse-json.ts';
export { textFieldNames, textsByField } from './documents/text-fields.ts';
export { askedPhrases } from './lexical/asked-phrases.ts';
// The decisions of a search over several indexes, from what all of them tell.
export { planOf, synonymsOf } from './lexical/query-words.ts';
export { figuresOf, readQuery, reportOf, sumOfFigures } from './lexical/read-query.ts';
export { lettersOf, TypoMatcher, typosAllowed, typosAtMost } from './lexical/typos.ts';
export { wordWeight } from './lexical/word-weight.ts';
export { shrinkScratch } from './memory/search-scratch.ts';
export { AnswerTooLargeError } from './query/answer-too-large-error.ts';
export { parseDate, parseDateSpan } from './query/columns/calendar.ts';
export { type TypedValues, typedValues } from './query/columns/typed-values.ts';
export type { ExplainedWords, Explanation, FusedSide } from './query/explain/explanation.ts';
export type { GroupStanding, Loss, Standing } from './query/explain/standing.ts';
export { facetMatcher } from './query/facets/facet-matcher.ts';
export { parseFacets } from './query/facets/facet-parser.ts';
export { clausesOf, type FilterClause, type FilterNode } from './query/filter/filter-ast.ts';
export { FilterFaultError } from './query/filter/filter-fault-error.ts';
export { parseFilter } from './query/filter/filter-parser.ts';
export { asBoolean, compareInterval, dateInterval, numberInterval } from './query/filter/filter-value.ts';
export { hasWords, nearnessOf } from './query/find.ts';
export { nothingFits } from './query/fit.ts';
export { asPoint, type Point } from './query/geo/point.ts';
export type { EngineGroup, GroupValue } from './query/groups/grouping.ts';
export { FieldNameError } from './query/names/field-name-error.ts';
export { nearestName } from './query/names/nearest-name.ts';
export { supportWeight } from './query/neighbour-support.ts';
export { sideWeight } from './query/rank.ts';
export { relevanceFacts, sharedScore } from './query/relevance/relevance-facts.ts';
export { relevanceOf } from './query/relevance/relevance-model.ts';
export type { DocumentSample, SampleAsked } from './query/sample/sample-documents.ts';
export { calibratedBy, scaleOf, textShare, vectorShare } from './query/sides/side-figures.ts';
export {
  agreedSides,
  inUnits,
  type SimilarityUnit,
  similarityUnits,
} from './query/sides/similarity-units.ts';
export { spreadOf } from './query/sides/spread-of.ts';
export { takeBest } from './query/sides/take-best.ts';
export { vectorTrust } from './query/sides/vector-trust.ts';
export { parseSort } from './query/sort/sort-parser.ts';
export { supportedMax, supportedScores } from './query/supported-scores.ts';
export { parseVectorQuery } from './query/vector-query-parser.ts';
export type { SortValue, WalkPlace } from './query/walk/walk-place.ts';
export {
  type Analyzer,
  queryWords,
  synonymWords,
  type Token,
  textParts,
  tokenize,
  typedWords,
} from './text/analyzer.ts';
export { english } from './text/english.ts';
export { fold, foldWord } from './text/fold.ts';
export { escapeHtml } from './text/html.ts';
export { stem } from './text/porter.ts';
export { readSyntax, withoutOperators } from './text/query-syntax.ts';
export { stopWords } from './text/stop-words.ts';
export { streamSafe } from './text/stream-safe.ts';
export { plainWords, type WordRules } from './text/word-rules.ts';
export { distanceOf } from './vector/similarity.ts';
export { TooDearError } from './work-budget.ts';

/**
 * What an index is asked from another thread as it stands here: the thread's call of each name follows from its method, which is given plain data (and where
 * a search is at) and goes in steps. Another one is a method and its name in this list.
 */
export const plainReads = ['standing', 'judgedFigures', 'documents', 'completeWords'] as const;

/** Tombstones are cleared when there are this many and they outnumber the living. */
const tombstonesMin = 1000;
/** Of a piece of upkeep. */
const upkeepPauses = 20;
/** Of a compaction, in a piece of upkeep and behind each write: about a millisecond. */
const compactedPauses = 4;

export class SearchIndex {
  readonly settings: IndexSettings;
  #version = 0;
  #parts: IndexParts;
  /** Tombstones from which on they are cleared. */
  #tombstonesMin = tombstonesMin;
  #compaction: Compaction | null = null;
  /** Compactions that a snapshot has ended, since the last one that came to its end. */
  #givenUp = 0;

  private constructor(parts: IndexParts, version: number) {
    this.settings = parts.settings;
    this.#parts = parts;
    this.#version = version;
  }

  /** An empty index at version 0. @throws RangeError for a dimension that is no positive integer */
  static create(settings: IndexSettings): SearchIndex {
    if (!Number.isInteger(settings.dimension) || settings.dimension < 1)
      throw new RangeError(`${settings.dimension} is not a dimension`);
    return new SearchIndex(
      {
        settings,
        documents: new DocumentTable(),
        lexical: new LexicalIndex(settings.analyzer),
        vectors: new VectorTable(settings.dimension, settings.metric),
        columns: new ColumnStore(settings.fields),
      },
      0,
    );
  }

  /**
   * Deletes, then puts in order: a put replaces the document with its id. Ids to delete that are not there are ignored.
   * A version may come in several batches, as when an index is made anew from the record.
   * @throws RangeError for an older version, vectors that are not whole rows, a source that is not a JSON object
   */
  apply(batch: WriteBatch): void {
    runSteps(this.applySteps(batch));
    while (this.upkeep());
  }

  // All steps at once, for whoever has nothing else to do.
  search(query: SearchQuery): EngineAnswer {
    return runSteps(this.searchSteps(query, { part: null }));
  }

  ids(filter: string | null, part: Omit<IdsAsked, 'filter'> = {}): string[] {
    return runSteps(this.idSteps({ filter, ...part }, { part: null }));
  }

  // What may take long goes in steps. Between two of them other indexes may be used, this one must not be. Steps that nobody wants any more are
  // ended by `return()`.

  /** Must be run to its end. @throws RangeError, before anything has changed */
  *applySteps(batch: WriteBatch): Steps<void> {
    const { capacity, settings } = this;
    const puts = yield* checkedPuts(batch, {
      version: this.#version,
      capacity,
      dimension: settings.dimension,
    });
    for (const id of batch.deletes) {
      yield* removeDocument(this.#parts, id);
      this.#compaction?.note(id);
      yield;
    }
    for (const put of puts) {
      yield* putDocument(this.#parts, put);
      this.#compaction?.note(put.document.id);
      yield;
    }
    this.#version = batch.version;
    this.#beginCompaction();
    if (this.#compaction === null) yield* this.#parts.vectors.settle();
    for (let pause = 0; pause < compactedPauses && this.#compact(1); pause += 1) yield;
  }

  /**
   * About a millisecond of what an index does beside its calls: clearing tombstones, also where a snapshot or the end of the process has ended that, and behind it finding out what searches by meaning are to read, and lists of vectors of a large one. To be called where nothing
   * else is asked of the index, between its calls or not at all. @returns whether there is more to do
   */
  upkeep(): boolean {
    this.#beginCompaction();
    if (this.#compaction === null) return this.#parts.vectors.upkeep(upkeepPauses);
    this.#compact(compactedPauses);
    return true;
  }

  /** @throws FieldNameError, FilterFaultError, RangeError for a vector of another dimension */
  searchSteps(query: SearchQuery, progress: SearchProgress): Steps<EngineAnswer> {
    this.#assertFits(query);
    return this.#inScratch(progress, (parts) =>
      runSearch(parts, query, query.isExplained === true ? explainHits : null),
    );
  }

  /** Whether the fields exist that a search names, and its filter fits them. @throws FieldNameError, FilterFaultError */
  check(query: SearchQuery): void {
    checkNames(this.#parts, query);
    readFilters(this.#parts.columns, query);
  }

  /** Where a document stands in a search. @throws as `searchSteps` */
  standing({ query, id }: { query: SearchQuery; id: string }, progress: SearchProgress): Steps<Standing> {
    this.#assertFits(query);
    return this.#inScratch(progress, (parts) => standingOf(parts, query, id));
  }

  /** What keeps a document out of a search whose words were read elsewhere. @throws as `searchSteps` */
  losses(query: SearchQuery, given: LostBy, progress: SearchProgress): Steps<Loss[]> {
    return this.#inScratch(progress, (parts) => lossesBy(parts, query, given));
  }

  /** What a model of relevance is fitted to. @throws as `searchSteps` */
  judgedFigures(
    { query, ...asked }: { query: SearchQuery } & FiguresAsked,
    progress: SearchProgress,
  ): Steps<JudgedFigures[]> {
    this.#assertFits(query);
    return this.#inScratch(progress, (parts) => judgedFigures(parts, query, asked));
  }

  // The steps of a search over several indexes as if they were one; `merged-steps.ts` explains them. Filter faults are thrown by all but the last.

  tellWords(query: SearchQuery, question: KeywordQuestion, progress: SearchProgress): Steps<KeywordFigures> {
    return this.#inScratch(progress, (parts) => tellWords(parts, query, question));
  }

  tellSides(
    query: SearchQuery,
    reading: KeywordReading | null,
    progress: SearchProgress,
  ): Steps<SideFigures> {
    return this.#inScratch(progress, (parts) => tellSides(parts, query, reading));
  }

  rankShared(query: SearchQuery, agreement: Agreement, progress: SearchProgress): Steps<Candidates> {
    return this.#inScratch(progress, (parts) => rankShared(parts, query, agreement));
  }

  firstVectors(ids: string[], progress: SearchProgress): Steps<{ vectors: Float32Array }> {
    return this.#inScratch(progress, (parts) => firstVectors(parts, ids));
  }

  hitsOfPicked(query: SearchQuery, given: PickedHits, progress: SearchProgress): Steps<(EngineHit | null)[]> {
    return this.#inScratch(progress, (parts) => hitsOfPicked(parts, query, given));
  }

  /** In the order of `ids`, null where there is none: the first ones that have `bytesMax` bytes together, at least one. */
  documents(asked: DocumentsAsked): Steps<(FoundDocument | null)[]> {
    return findDocuments(this.#parts, asked);
  }

  /** @throws FilterFaultError */
  idSteps(asked: IdsAsked, progress: SearchProgress): Steps<string[]> {
    return listIds(this.#parts, asked, progress);
  }

  /** Drawn from the documents that pass a filter and have a vector. @throws FilterFaultError */
  sample(asked: SampleAsked, progress: SearchProgress): Steps<DocumentSample> {
    return sampleDocuments(this.#parts, asked, progress);
  }

  /** Ordinals given so far: what searches have arrays for. */
  get capacity(): number {
    return this.#parts.documents.capacity;
  }

  /** What an unfinished word, as it was typed, may become: the words that most documents hold, of those alike by code point. */
  completeWords(asked: { prefix: string; typosMax: number; limit: number }): Steps<CompletedWord[]> {
    const { dictionary, analyzer } = this.#parts.lexical;
    return completeWords(dictionary, { ...asked, prefix: analyzer.words.fold(asked.prefix) });
  }

  fields(): FieldView[] {
    return this.#parts.columns.fields();
  }

  stats(): IndexStats {
    const { documents, lexical, vectors, columns } = this.#parts;
    return {
      version: this.#version,
      documentCount: documents.liveCount,
      vectorCount: vectors.vectorCount,
      ...vectors.scanned,
      memoryBytes: documents.memoryBytes + lexical.memoryBytes + vectors.memoryBytes + columns.memoryBytes,
    };
  }

  /** The parts of a snapshot by name, where they lie: good until something is written or kept up. Searches change nothing of it. */
  *sections(): Steps<Map<string, Piece>> {
    // It keeps what a snapshot leaves out, and begins anew afterwards; one that never came to its end between two snapshots is done now.
    this.#givenUp += Number(this.#compaction !== null);
    while (this.#givenUp > 1 && this.#compact(1)) yield;
    this.#endCompaction();
    const { documents, lexical, vectors, columns } = this.#parts;
    const sections = new Map<string, Piece>();
    for (const [name, part] of Object.entries({ documents, lexical, vectors, columns })) {
      const writer = new SectionWriter();
      if (part === lexical || part === columns) yield* part.encode(writer);
      else part.encode(writer);
      yield;
      addSection(sections, name, writer.finish());
    }
    return sections;
  }

  /** In the order of `sections`. @throws whatever malformed ones lead to; `decodeSnapshot` refuses those before */
  static *decodeSections(
    sections: SectionSequence,
    settings: IndexSettings,
    version: number,
  ): Steps<SearchIndex> {
    const { dimension, metric, fields, analyzer } = settings;
    const documents = yield* sections.read('documents', DocumentTable.decode);
    const lexical = yield* sections.read('lexical', (reader) => LexicalIndex.decode(reader, analyzer));
    const vectors = yield* sections.read('vectors', (reader) =>
      VectorTable.decode(reader, dimension, metric),
    );
    const columns = yield* sections.read('columns', (reader) => ColumnStore.decode(reader, fields));
    sections.end();
    return new SearchIndex({ settings, documents, lexical, vectors, columns }, version);
  }

  #assertFits({ vector }: SearchQuery): void {
    if (vector !== null && (vector.length === 0 || vector.length % this.settings.dimension !== 0))
      throw new RangeError(`the vector has ${vector.length} components, not ${this.settings.dimension}`);
  }

  *#inScratch<Result>(progress: SearchProgress, work: (parts: SearchParts) => Steps<Result>): Steps<Result> {
    const scratch = takeScratch();
    try {
      return yield* work({ ...this.#parts, scratch, progress });
    } finally {
      giveBackScratch(scratch);
    }
  }

  /** @returns whether there is more to do */
  #compact(pauses: number): boolean {
    for (let pause = 0; pause < pauses && this.#compaction !== null; pause += 1) {
      const { done, value } = this.#compaction.steps.next();
      if (done !== true) continue;
      // Without memory for a copy the tombstones stay until they are twice as many.
      this.#tombstonesMin = value === null ? 2 * this.#tombstones : tombstonesMin;
      this.#endCompaction();
      this.#givenUp = 0;
      this.#parts = value ?? this.#parts;
    }
    return this.#compaction !== null;
  }

  #beginCompaction(): void {
    const tombstones = this.#tombstones;
    if (tombstones >= this.#tombstonesMin && tombstones > this.#parts.documents.liveCount)
      this.#compaction ??= new Compaction(this.#parts);
  }

  #endCompaction(): void {
    this.#compaction?.end();
    this.#compaction = null;
  }

  get #tombstones(): number {
    const { documents } = this.#parts;
    return documents.capacity - documents.liveCount;
  }
}
