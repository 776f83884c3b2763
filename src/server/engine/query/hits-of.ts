/** The hits of a page: the only documents of a search that are read. */
import type { DocumentTable } from '../documents/document-table.ts';
import { parseJson } from '../documents/parse-json.ts';
import { textFieldNames } from '../documents/text-fields.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { EngineHit, SearchQuery } from '../types.ts';
import { AnswerTooLargeError, assertRoom } from './answer-too-large-error.ts';
import { type Findings, textMatchOf, vectorDistanceOf } from './find.ts';
import { hitDistances } from './geo/hit-distances.ts';
import { characterUnits } from './highlights/highlighter.ts';
import { PageHighlights } from './highlights/page-highlights.ts';
import type { PinnedList } from './pinned-list.ts';
import { type RankedCandidates, type Ranking, scoreOf } from './rank.ts';
import type { IndexParts, SearchParts } from './search-parts.ts';

/** Of work, beside a unit for each byte of the document. */
const hitUnits = 256;
/** A document of no more is read and highlighted in one go: a generator for each part of it would cost more than the part. */
const atOnceBytesMax = 16_384;

export function* hitsOf(
  parts: SearchParts,
  query: SearchQuery,
  { page, ranked, findings, pins = null }: Ranking & { page: Int32Array; pins?: PinnedList | null },
): Steps<EngineHit[]> {
  if (page.length === 0) return [];
  const { documents, lexical, columns } = parts;
  const bytes = page.reduce((sum, ordinal) => sum + documents.sourceBytesOf(ordinal), 0);
  // Before any text is read.
  if (bytes > (query.sourceBytesMax ?? Number.POSITIVE_INFINITY)) throw new AnswerTooLargeError(bytes);
  parts.progress.part = 'highlights';
  const highlights = yield* PageHighlights.of({ lexical, words: findings.keyword.words }, query, {
    page,
    bytes,
  });
  if (findings.keyword.scores !== null) yield* findings.keyword.scores.knowFew(page.toSorted());
  const distances = yield* hitDistances(columns, query.sort, page);
  const hits: EngineHit[] = [];
  let highlightedBytes = 0;
  for (const [place, ordinal] of page.entries()) {
    const textMatch = textMatchOf(findings, ordinal);
    const fields = textMatch === null ? [] : highlights.fieldsAt(place);
    const span = spanOf(parts, findings, ordinal);
    const sourceBytes = documents.sourceBytesOf(ordinal);
    const isSmall = sourceBytes <= atOnceBytesMax;
    // Hits without highlights and passages are never parsed.
    const isRead = fields?.length !== 0 || span !== null;
    const document = !isRead
      ? {}
      : isSmall
        ? smallAt(documents, ordinal)
        : yield* documentAt(documents, ordinal);
    hits.push({
      id: documents.idOf(ordinal),
      sourceBytes,
      get source() {
        return documents.viewSource(ordinal);
      },
      // What only a pin has brought in has no score.
      score: ranked.candidates.has(ordinal) ? scoreOf(ranked, ordinal) : 0,
      ...relevanceAt(ranked, ordinal),
      isPinned: pins?.has(ordinal) ?? false,
      textMatch,
      vectorDistance: vectorDistanceOf(query.metric ?? parts.settings.metric, findings, ordinal),
      highlights:
        fields?.length === 0
          ? []
          : isSmall
            ? highlights.atOnce(document, fields)
            : yield* highlights.of(document, fields),
      passage: span === null ? null : yield* passageOf(span, document),
      ...(distances[place] && { distancesMeters: distances[place] }),
    });
    highlightedBytes += bytesOf(hits.at(-1)?.highlights ?? []);
    assertRoom(highlightedBytes, query);
    if (isPauseDue(hitUnits + sourceBytes * (isRead && isSmall ? 1 + characterUnits : 1))) yield;
  }
  return hits;
}

function relevanceAt({ candidates, relevanceOf }: RankedCandidates, ordinal: number): { relevance?: number } {
  return relevanceOf === null || !candidates.has(ordinal) ? {} : { relevance: relevanceOf(ordinal) };
}

/** At least: what is written around them is not counted. */
function bytesOf(highlights: EngineHit['highlights']): number {
  return highlights.reduce(
    (sum, { field, snippet, matchedTokens }) => sum + field.length + snippet.length + matchedTokens.length,
    0,
  );
}

function smallAt(documents: DocumentTable, ordinal: number): Record<string, unknown> {
  return JSON.parse(documents.sourceOf(ordinal)) as Record<string, unknown>;
}

function documentAt(documents: DocumentTable, ordinal: number): Steps<Record<string, unknown>> {
  return parseJson(documents.sourceOf(ordinal)) as Steps<Record<string, unknown>>;
}

/** Where the passage lies that made the vector score, where the document has several. */
function spanOf({ vectors }: IndexParts, { vector }: Findings, ordinal: number): Int32Array | null {
  if (vector === null) return null;
  const spans = vectors.spansOf(ordinal);
  if (spans.length <= 3) return null;
  const passage = vector.passageOf(ordinal);
  return passage < 0 ? null : spans.subarray(passage * 3, passage * 3 + 3);
}

/** Null: it does not lie in one field. */
function* passageOf(
  [place = -1, start = 0, end = 0]: Int32Array,
  document: Record<string, unknown>,
): Steps<EngineHit['passage']> {
  const field = (yield* textFieldNames(document))[place];
  return field === undefined ? null : { field, start, end };
}
