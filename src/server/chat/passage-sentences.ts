import { embeddedCharactersMax } from '#server/indexes/passages/embedding-text.ts';
import {
  type Span,
  sentenceCharactersMax,
  splitSentences,
} from '#server/indexes/passages/split-sentences.ts';
import { passageCharactersMax } from '#shared/collections.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import type { FoundPassage } from '#shared/nearest-sentences.ts';

/** A sentence as it stands in a text of a document. Elements of a list are named by their place: `notes.0`. */
export interface PlacedSentence extends Span {
  field: string;
  text: string;
}

/** Visited on the way to a text. */
const valuesSeenMax = 20_000;
/** Behind a passage, by which the end of its last sentence is told. */
const lookAhead = sentenceCharactersMax + 64;

/**
 * The sentences of a passage that a search has found, in order. One that a border cuts counts, as a whole, where half of it lies in the passage, or half of
 * the passage in it. Empty: the document has no such passage (any more). Linear in the text before the passage's end.
 */
export function passageSentences(document: StoredDocument, passage: FoundPassage): PlacedSentence[] {
  const { start, end } = passage;
  // No passage is longer or lies further behind.
  if (start >= end || end - start > passageCharactersMax || end > embeddedCharactersMax) return [];
  const found = findText(document, passage.field);
  if (found === null || end > found.text.length) return [];
  const { field, text } = found;
  // From the beginning, as it was cut: a sentence that is too long for one ends by where it begins.
  return splitSentences(text.slice(0, end + lookAhead)).flatMap((sentence) => {
    const common = Math.min(end, sentence.end) - Math.max(start, sentence.start);
    const least = Math.min(end - start, sentence.end - sentence.start) / 2;
    return common >= least ? [{ ...sentence, field, text: text.slice(sentence.start, sentence.end) }] : [];
  });
}

/**
 * The text of a field that the index names by a path: through lists, whose elements share it, and in keys that hold a dot. Null: there is none, or
 * several, or too much to look through.
 */
export function findText(document: StoredDocument, path: string): { field: string; text: string } | null {
  const keys = `${path}.`;
  const found: { field: string; text: string }[] = [];
  let seen = 0;
  /** `from`: where in `keys` the path goes on. */
  const visit = (value: JsonValue | undefined, field: string | null, from: number): void => {
    seen += 1;
    if (seen > valuesSeenMax || found.length > 1) return;
    if (typeof value === 'string') {
      if (field !== null && from === keys.length) found.push({ field, text: value });
    } else if (Array.isArray(value)) {
      // Without a list of its items: there may be a great many.
      for (let i = 0; i < value.length && seen <= valuesSeenMax; i += 1)
        visit(value[i], `${field}.${i}`, from);
    } else if (typeof value === 'object' && value !== null) {
      const keysHere = Object.keys(value);
      seen += keysHere.length;
      for (const key of keysHere) {
        if (keys.startsWith(key, from) && keys[from + key.length] === '.')
          visit(value[key], field === null ? key : `${field}.${key}`, from + key.length + 1);
      }
    }
  };
  visit(document, null, 0);
  const [only, other] = found;
  return only === undefined || other !== undefined || seen > valuesSeenMax ? null : only;
}
