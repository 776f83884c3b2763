/**
 * An index's part in a search over several, whose ranking is that of one index with all their documents. It tells figures, is told what
 * the sum of all figures has decided, and ranks its own documents by that; documents are fetched for the hits of the page alone.
 * Every step stands for itself: an index that changes in between gives slightly older or newer answers, never a wrong one.
 */
import { Bitset } from '../bits/bitset.ts';
import { type KeywordMatches, KeywordSearch } from '../lexical/keyword-search.ts';
import { type QueryWord, synonymsOf, wordsIn } from '../lexical/query-words.ts';
import type {
  Agreement,
  Candidates,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  PickedHits,
  SideFigures,
} from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { EngineHit, SearchQuery } from '../types.ts';
import { explainHits } from './explain/explain-hits.ts';
import { readFilters } from './filter/passing-documents.ts';
import { type Findings, find, hasWords, nothing, textMatchOf, vectorSideOf } from './find.ts';
import { fitsOf, setFit } from './fit.ts';
import { hitsOf } from './hits-of.ts';
import { orderedPart, type Ranking, rank, scoreOf } from './rank.ts';
import { facetsOf } from './run-search.ts';
import type { SearchParts } from './search-parts.ts';
import { GivenScores } from './sides/given-scores.ts';
import { KeywordSide } from './sides/keyword-side.ts';
import { sideFigures } from './sides/side-figures.ts';

/** What the index has of the words of a query. @throws FilterFaultError already here, so that no figures count of an index that will fail */
export function* tellWords(
  parts: SearchParts,
  query: SearchQuery,
  question: KeywordQuestion,
): Steps<KeywordFigures> {
  parts.progress.part = 'words';
  readFilters(parts.columns, query);
  return yield* new KeywordSearch(parts, query).figures(question);
}

/** The best of both sides. @throws FilterFaultError */
export function* tellSides(
  parts: SearchParts,
  query: SearchQuery,
  reading: KeywordReading | null,
): Steps<SideFigures> {
  return yield* sideFigures(yield* find(parts, query, { reading, neighbours: 0 }), query);
}

/** The candidates from `offset` on, `limit` of them. @throws FilterFaultError */
export function* rankShared(parts: SearchParts, query: SearchQuery, agreement: Agreement): Steps<Candidates> {
  const { documents } = parts;
  const findings = yield* find(parts, query, agreement);
  const ranked = yield* rank(parts, query, findings, agreement);
  const ordered = yield* orderedPart(parts, query, { ranked, findings });
  const page = Array.from(ordered);
  const coverages = yield* coveragesOf(findings, agreement, ordered);
  return {
    found: ranked.candidates.count(),
    outOf: documents.liveCount,
    ids: page.map((ordinal) => documents.idOf(ordinal)),
    scores: Float64Array.from(page, (ordinal) => scoreOf(ranked, ordinal)),
    relevances: Float64Array.from(page, (ordinal) => ranked.relevanceOf?.(ordinal) ?? Number.NaN),
    textMatches: Float64Array.from(page, (ordinal) => textMatchOf(findings, ordinal) ?? 0),
    coverages: Float64Array.from(page, (ordinal) => coverages.get(ordinal) ?? 0),
    facets: yield* facetsOf(parts, query, { findings, candidates: ranked.candidates }),
    areNeighbours: Uint8Array.from(page, (ordinal) => Number(findings.neighbours.has(ordinal))),
    fits: yield* fitsOf(parts, query, { page: ordered, ranked, findings }),
    held: findings.keyword.held,
  };
}

/** Where they count: what the documents cover of the words. */
function* coveragesOf(
  { text }: Findings,
  { scale }: Agreement,
  ordinals: Int32Array,
): Steps<ReadonlyMap<number, number>> {
  if (scale === null || scale.coveredWeight === 0) return new Map();
  const ascending = ordinals.toSorted();
  const shares = new Float64Array(ascending.length);
  yield* text.coverages(ascending, shares);
  return new Map(Array.from(ascending, (ordinal, place) => [ordinal, shares[place] ?? 0]));
}

/** Of the documents with these ids, row by row; zeros of one that has none, or has gone since it was ranked. */
export function* firstVectors(
  { documents, vectors, settings, progress }: SearchParts,
  ids: string[],
): Steps<{ vectors: Float32Array }> {
  progress.part = 'vector';
  const { dimension } = settings;
  const rows = new Float32Array(ids.length * dimension);
  for (const [place, id] of ids.entries()) {
    const ordinal = documents.ordinalOf(id);
    if (ordinal !== undefined) rows.set(vectors.firstVectorOf(ordinal), place * dimension);
    if (isPauseDue(dimension)) yield;
  }
  return { vectors: rows };
}

/** The hits with these ids; null for one that has gone since it was ranked. */
export function* hitsOfPicked(
  parts: SearchParts,
  query: SearchQuery,
  { agreement, picked }: PickedHits,
): Steps<(EngineHit | null)[]> {
  const { documents, scratch, progress } = parts;
  const { reading, scale, support } = agreement;
  const scores = scratch.numbers('fused', documents.capacity);
  const textMatches = new Map<number, number>();
  const relevances = new Map<number, number>();
  const covered = new Map<number, number>();
  const passes = new Bitset(documents.capacity);
  const neighbours = new Bitset(documents.capacity);
  const ordinals = picked.ids.map((id) => documents.ordinalOf(id));
  ordinals.forEach((ordinal, i) => {
    if (ordinal === undefined) return;
    passes.add(ordinal);
    if (picked.areNeighbours[i] === 1) neighbours.add(ordinal);
    scores[ordinal] = picked.scores[i] ?? 0;
    textMatches.set(ordinal, picked.textMatches[i] ?? 0);
    relevances.set(ordinal, picked.relevances[i] ?? Number.NaN);
    covered.set(ordinal, picked.coverages[i] ?? 0);
  });
  const textScores = new GivenScores(textMatches, { covered, asked: 1 });
  const keyword = {
    ...nothing(documents),
    scores: textScores,
    words: yield* wordsToMark(parts, query, reading),
    totals: reading?.totals ?? null,
    whole: yield* wholeTitled(parts, query, reading),
  };
  if (query.mode !== 'keyword') progress.part = 'vector';
  const vector = vectorSideOf(parts, query, passes);
  // Words match what has a score of them, no words everything.
  const matched = hasWords(query) ? new Bitset(documents.capacity) : passes;
  const text = new KeywordSide(matched, textScores, documents.isBefore);
  const findings = { keyword, matched, text, vector, neighbours, pinned: [] };
  const page = Int32Array.from(ordinals.filter((ordinal) => ordinal !== undefined));
  const isTold = picked.relevances.some((relevance) => !Number.isNaN(relevance));
  const relevanceOf = isTold ? (ordinal: number) => relevances.get(ordinal) ?? 0 : null;
  const ranking = { page, ranked: { candidates: passes, all: passes, scores, relevanceOf }, findings };
  const shown = yield* hitsOf(parts, query, ranking);
  const there = picked.fits?.filter((_, i) => ordinals[i] !== undefined);
  const fitting = there ?? (yield* ownFits(parts, query, { ...ranking, reading }));
  shown.forEach((hit, place) => {
    setFit(hit, fitting?.[place]);
  });
  if (query.isExplained === true) {
    progress.part = 'explain';
    const explained = yield* explainHits(parts, query, { ...ranking, scale, support: support?.weight ?? 0 });
    shown.forEach((hit, place) => {
      const explanation = explained[place];
      if (explanation !== undefined) hit.explanation = explanation;
    });
  }
  const hits = shown.values();
  return ordinals.map((ordinal) => (ordinal === undefined ? null : (hits.next().value ?? null)));
}

/** Of an index of the page's documents alone, where who ranked them has not said it. */
function* ownFits(
  parts: SearchParts,
  query: SearchQuery,
  { reading, findings, ...ranking }: Ranking & { page: Int32Array; reading: KeywordReading | null },
): Steps<(boolean | null)[] | null> {
  if (!query.fit) return null;
  const { documents } = parts;
  const found = reading === null ? null : yield* new KeywordSearch(parts, query).matches(reading);
  const text = new KeywordSide(findings.matched, found?.scores ?? null, documents.isBefore);
  const keyword = found ?? findings.keyword;
  return yield* fitsOf(parts, query, { ...ranking, findings: { ...findings, keyword } }, text);
}

/** Only an explanation asks for it: scores are given. */
function* wholeTitled(
  parts: SearchParts,
  query: SearchQuery,
  reading: KeywordReading | null,
): Steps<KeywordMatches['whole']> {
  if (reading === null || query.isExplained !== true) return null;
  return yield* new KeywordSearch(parts, query).wholeTitled(reading);
}

function* wordsToMark(
  { lexical }: SearchParts,
  query: SearchQuery,
  reading: KeywordReading | null,
): Steps<QueryWord[]> {
  if (reading === null) return [];
  return yield* wordsIn(lexical.dictionary, reading.words, synonymsOf(query, lexical.analyzer));
}
