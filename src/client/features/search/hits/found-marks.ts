import type { FieldMark } from '#client/components/document/field-marks.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import type { MergedSearchHit } from '#shared/search.ts';

type Fields = Record<string, JsonValue>;

/**
 * What of a document a search has found by meaning: its passage where it has several, else the sentence nearest to the words. Nothing where its text is another
 * than the one that was found.
 */
export function foundMarks(
  fields: Fields,
  { document, passage }: Pick<MergedSearchHit, 'document' | 'passage'>,
  sentence: Pick<NearestSentence, 'field' | 'text'> | undefined,
): FieldMark[] {
  if (passage) {
    const text = textAt(fields, passage.field);
    return text !== null && text === textAt(document, passage.field) ? [passage] : [];
  }
  if (!sentence) return [];
  const { field, text } = sentence;
  const start = textAt(fields, field)?.indexOf(text) ?? -1;
  return start < 0 ? [] : [{ field, start, end: start + text.length }];
}

/** Null: there is no text. */
function textAt(fields: Fields, path: string): string | null {
  let value: JsonValue | undefined = fields;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, JsonValue>)[name];
  }
  return typeof value === 'string' ? value : null;
}
