import type { PickedCandidates } from '#server/engine/merged-types.ts';
import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import type { EngineHit, FoundDocument } from '#server/engine/types.ts';
import { type JsonText, jsonInSteps, jsonInUtf8 } from '#server/wire/json-text.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { CollectionLabel, MergedSearchHit, SearchHit } from '#shared/search.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { shownExplanation } from './explain/shown-explanation.ts';
import { HeadedText } from './headed-text.ts';
import { areWhole, type ShownFields, shownDocument } from './shown-document.ts';

/** The hits of a page as they go out: the text that the engine's thread has made of them. */
export type ShownHits = HeadedText<SearchHit[]>;

/** A hit of a merged list, made likewise. */
export type ShownMergedHit = HeadedText<MergedSearchHit>;

/** The hits' JSON text in UTF-8. @throws AnswerTooLargeError */
export function* hitsText(
  hits: EngineHit[],
  shown: ShownFields,
  bytesMax: number,
): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new AnswerBytes(bytesMax);
  const shownHits = yield* eachInSteps(hits, shown, (hit) => searchHit(hit, shown, bytes));
  return fitting(yield* jsonInSteps(shownHits), bytesMax);
}

/** Likewise of their documents alone. @throws AnswerTooLargeError */
export function* documentsText(
  hits: EngineHit[],
  shown: ShownFields,
  bytesMax: number,
): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new AnswerBytes(bytesMax);
  const documents = yield* eachInSteps(hits, shown, (hit) => shownDocument(hit, shown, bytes));
  return fitting(yield* jsonInSteps(documents), bytesMax);
}

/** Documents as lines. */
export function* linesText(
  documents: Pick<FoundDocument, 'source'>[],
  shown: ShownFields,
): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new AnswerBytes(Number.POSITIVE_INFINITY);
  const hits = documents.map(({ source }) => ({ source, sourceBytes: source.byteLength }));
  const texts = yield* eachInSteps(hits, shown, (hit) => shownDocument(hit, shown, bytes));
  const lines = texts.flatMap((text) => [text.bytes, newline]);
  return joined(lines, bytes.counted + texts.length);
}

const newline = Buffer.from('\n');

/** Texts of hits, one behind the other. */
export interface HitTexts {
  hits: Uint8Array;
  /** Where each ends; one that has gone meanwhile is empty. */
  ends: number[];
  /** Whether each fits what was asked; null: it is not told. */
  fits: (boolean | null)[];
}

/** The texts of hits that are placed among those of other collections. @throws AnswerTooLargeError */
export function* mergedHitTexts(
  hits: (EngineHit | null)[],
  { collection, shown, bytesMax }: { collection: CollectionLabel; shown: ShownFields; bytesMax: number },
): Steps<HitTexts> {
  const documents = new AnswerBytes(bytesMax);
  const all = new AnswerBytes(bytesMax);
  const ends: number[] = [];
  const texts = yield* eachInSteps(hits, shown, function* (hit) {
    const text = hit
      ? jsonInUtf8({ ...(yield* searchHit(hit, shown, documents)), collection })
      : new Uint8Array(0);
    all.add(text.byteLength);
    ends.push(all.counted);
    return text;
  });
  return { hits: joined(texts, all.counted), ends, fits: hits.map((hit) => hit?.fits ?? null) };
}

/** The texts apart again, as they were picked; null for one that has gone. */
export function apart({ hits, ends }: HitTexts, picked: PickedCandidates): (ShownMergedHit | null)[] {
  return ends.map((end, i) => {
    const start = ends[i - 1] ?? 0;
    const head = { id: picked.ids[i] ?? '', score: picked.scores[i] ?? 0 };
    return start === end ? null : new HeadedText(hits.subarray(start, end), () => [head]);
  });
}

/** Of work: to write a hit, and, for each byte of its document, to read it whole and show some of it. */
const hitUnits = 512;
const byteUnits = 2;

export function* eachInSteps<Hit extends { sourceBytes: number } | null, Shown>(
  hits: Hit[],
  shown: ShownFields,
  toShown: (hit: Hit) => Steps<Shown>,
): Steps<Shown[]> {
  const all: Shown[] = [];
  const unitsOfByte = areWhole(shown) ? 0 : byteUnits;
  for (const hit of hits) {
    all.push(yield* toShown(hit));
    if (isPauseDue(hitUnits + (hit?.sourceBytes ?? 0) * unitsOfByte)) yield;
  }
  return all;
}

export function* searchHit(
  hit: EngineHit,
  shown: ShownFields,
  bytes: AnswerBytes,
): Steps<SearchHit<JsonText<StoredDocument>>> {
  return {
    id: hit.id,
    document: yield* shownDocument(hit, shown, bytes),
    score: hit.score,
    ...(hit.relevance !== undefined && { relevance: hit.relevance }),
    ...(hit.fits !== undefined && { fits: hit.fits }),
    ...(hit.textMatch !== null && { text_match: hit.textMatch }),
    ...(hit.vectorDistance !== null && { vector_distance: hit.vectorDistance }),
    ...(hit.isPinned && { curated: true }),
    highlights: hit.highlights.map(({ field, snippet, matchedTokens }) => ({
      field,
      snippet,
      matched_tokens: matchedTokens,
    })),
    ...(hit.passage && { passage: hit.passage }),
    ...(hit.distancesMeters && { geo_distance_meters: hit.distancesMeters }),
    ...(hit.explanation && { explain: shownExplanation(hit.explanation) }),
  };
}

/** Ids, scores and highlights count too. @throws AnswerTooLargeError */
export function fitting(text: Uint8Array<ArrayBuffer>, bytesMax: number): Uint8Array<ArrayBuffer> {
  new AnswerBytes(bytesMax).add(text.byteLength);
  return text;
}

function joined(texts: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const text of texts) {
    whole.set(text, at);
    at += text.byteLength;
  }
  return whole;
}
