import type { FieldMark } from '#client/components/document/field-marks.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import { fieldNameAt, textAt } from './text-at.ts';

type Fields = Record<string, JsonValue>;
type Hit = Pick<MergedSearchHit, 'document' | 'passage'>;
type Sentence = Pick<NearestSentence, 'field' | 'start' | 'end' | 'text'>;

/**
 * What of a document a search has found by meaning: the sentence nearest to the words, faintly with the passage that it is of; the passage alone where no
 * sentence is known (yet). Nothing where its text is another than the one that was found.
 */
export function foundMarks(fields: Fields, hit: Hit, sentence: Sentence | undefined): FieldMark[] {
  if (sentence && isThere(fields, sentence)) {
    const { field, start, end } = sentence;
    return [...marksAround(fields, hit, sentence), { field, start, end }];
  }
  if (hit.passage && isUnchanged(fields, hit, hit.passage.field)) return [hit.passage];
  if (!sentence) return [];
  const { field, text } = sentence;
  const start = textAt(fields, field)?.indexOf(text) ?? -1;
  return start < 0 ? [] : [{ field, start, end: start + text.length }];
}

const isThere = (fields: Fields, { field, start, end, text }: Sentence): boolean =>
  textAt(fields, field)?.slice(start, end) === text;

/** The passage that the sentence is of, as a hit tells it: by the field that most of it lies in, which may be another than the sentence's. */
function marksAround(fields: Fields, hit: Hit, { field, start, end }: Sentence): FieldMark[] {
  const { passage } = hit;
  if (passage === undefined) return [];
  if (fieldNameAt(fields, field) !== passage.field)
    return isUnchanged(fields, hit, passage.field) ? [{ ...passage, isAround: true }] : [];
  if (!isUnchanged(fields, hit, field)) return [];
  if (end <= passage.start || start >= passage.end) return [];
  // A border may cut the sentence.
  const around = { start: Math.min(start, passage.start), end: Math.max(end, passage.end) };
  return [{ field, ...around, isAround: true }];
}

/** Whether a text is the one that was found. */
function isUnchanged(fields: Fields, { document }: Hit, field: string): boolean {
  const text = textAt(fields, field);
  return text !== null && text === textAt(document, field);
}
