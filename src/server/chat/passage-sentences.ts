import { textFieldNames } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { WritableCollection } from '#server/indexes/indexes.ts';
import { cutDocument } from '#server/indexes/passages/embeddable.ts';
import { embeddedCharactersMax, type PlacedText } from '#server/indexes/passages/embedding-text.ts';
import { spansOf } from '#server/indexes/passages/spans-of.ts';
import { type Span, sentenceCharactersMax, splitInSteps } from '#server/indexes/passages/split-sentences.ts';
import { passageCharactersMax } from '#shared/collections.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { FoundPassage } from '#shared/nearest-sentences.ts';
import { isSentence } from './passages.ts';
import { placesOf } from './places-of.ts';
import { walkTexts } from './walk-texts.ts';

/** A sentence as it stands in a text of a document. Elements of a list are named by their place: `notes.0`. */
export interface PlacedSentence extends Span {
  field: string;
  text: string;
}

/** Behind a passage, by which the end of its last sentence is told. */
const lookAhead = sentenceCharactersMax + 64;

/**
 * The sentences of a passage that a search has found, in order. A hit tells a passage by the field that most of it lies in: the document is cut anew, and
 * the sentences are those of the whole passage that is told so, in all fields. Where none is, as the document was changed since, they are those that
 * stand in the field now. Empty: there are none. Linear in the document.
 */
export function* passageSentences(
  collection: Pick<WritableCollection, 'metadata'>,
  document: StoredDocument,
  passage: FoundPassage,
): Steps<PlacedSentence[]> {
  const { start, end } = passage;
  // No passage is longer or lies further behind.
  if (start >= end || end - start > passageCharactersMax || end > embeddedCharactersMax) return [];
  const found = yield* findPassage(collection, document, passage);
  const whole = found === null ? [] : yield* sentencesOfParts(document, found);
  return whole.length > 0 ? whole : yield* sentencesInField(document, passage);
}

/** A stretch of a document's text. */
interface FoundText extends Span {
  placed: PlacedText;
}

/** Null: no passage of the document is told so. Two may be, where most of both is what they have in common: they are taken for one. */
function* findPassage(
  collection: Pick<WritableCollection, 'metadata'>,
  document: StoredDocument,
  { field, start, end }: FoundPassage,
): Steps<FoundText | null> {
  const place = (yield* textFieldNames(document)).indexOf(field);
  const cut = place < 0 ? null : yield* cutDocument(collection, document);
  if (cut === null) return null;
  const { placed, passages } = cut;
  const spans = yield* spansOf(document, placed.parts, passages);
  const told = passages.filter(
    (_, i) => spans[3 * i] === place && spans[3 * i + 1] === start && spans[3 * i + 2] === end,
  );
  const [first, last] = [told[0], told.at(-1)];
  return first && last ? { placed, start: first.start, end: last.end } : null;
}

/** Of short values, as names, only where nothing else stands there. */
function* sentencesOfParts(
  document: StoredDocument,
  { placed, start, end }: FoundText,
): Steps<PlacedSentence[]> {
  const values: PlacedSentence[] = [];
  const sentences: PlacedSentence[] = [];
  for (const [part, field] of yield* placesOf(document, placed, { start, end })) {
    const text = placed.text.slice(part.start, part.end);
    const among = isSentence(text) ? sentences : values;
    for (const span of yield* splitInSteps(text)) {
      if (part.start + span.start >= start && part.start + span.end <= end)
        among.push({ ...span, field, text: text.slice(span.start, span.end) });
    }
  }
  return sentences.length > 0 ? sentences : values;
}

/** One that a border cuts counts, as a whole, where half of it lies in the passage, or half of the passage in it. */
function* sentencesInField(
  document: StoredDocument,
  { field: path, start, end }: FoundPassage,
): Steps<PlacedSentence[]> {
  const found = yield* findText(document, path);
  if (found === null || end > found.text.length) return [];
  const { field, text } = found;
  // From the beginning, as it was cut: a sentence that is too long for one ends by where it begins.
  return (yield* splitInSteps(text.slice(0, end + lookAhead))).flatMap((sentence) => {
    const common = Math.min(end, sentence.end) - Math.max(start, sentence.start);
    const least = Math.min(end - start, sentence.end - sentence.start) / 2;
    return common >= least ? [{ ...sentence, field, text: text.slice(sentence.start, sentence.end) }] : [];
  });
}

/** The text of a field that the index names by a path. Null: there is none, or several. */
export function* findText(
  document: StoredDocument,
  path: string,
): Steps<{ field: string; text: string } | null> {
  let only: { field: string; text: string } | null = null;
  let count = 0;
  yield* walkTexts(document, (text, at) => {
    if (at.path !== path) return;
    only = { field: at.field, text };
    count += 1;
  });
  return count === 1 ? only : null;
}
