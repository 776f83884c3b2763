import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import {
  embeddedCharactersMax,
  type PlacedText,
  type TextPart,
} from '#server/indexes/passages/embedding-text.ts';
import type { Span } from '#server/indexes/passages/split-sentences.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { walkTexts } from './walk-texts.ts';

/** Parts that have the same text and the same path. */
interface SameParts {
  count: number;
  /** Where the document has that text, in order; no more than there are parts. */
  fields: string[];
}

/** What it takes to look up a part, in the engine's units of work. */
const lookUnits = 64;

/**
 * The parts of a document's text that lie in a stretch of it, in order, each with the field that it stands in: elements of a list are named by their
 * place. Linear in the document.
 */
export function* placesOf(
  document: StoredDocument,
  { text, parts }: Pick<PlacedText, 'text' | 'parts'>,
  { start, end }: Span,
): Steps<[part: TextPart, field: string][]> {
  const asked: { part: TextPart; same: SameParts; nth: number }[] = [];
  const within = parts.filter((part) => part.start < end && part.end > start);
  const paths = new Map(within.map(({ path }) => [path, new Map<string, SameParts>()]));
  for (const part of parts) {
    if (part.start >= end) break;
    if (isPauseDue(lookUnits)) yield;
    const texts = paths.get(part.path);
    if (texts === undefined) continue;
    const own = text.slice(part.start, part.end);
    const same = texts.get(own) ?? { count: 0, fields: [] };
    texts.set(own, same);
    if (part.end > start) asked.push({ part, same, nth: same.count });
    same.count += 1;
  }
  // Of the last text there may be no more than its beginning.
  const last = parts.at(-1);
  const cutLength = last && last.end >= embeddedCharactersMax ? last.end - last.start : embeddedCharactersMax;
  yield* walkTexts(document, (whole, { path, field }) => {
    const texts = paths.get(path);
    const same = texts?.get(whole) ?? texts?.get(whole.slice(0, cutLength));
    if (same && same.fields.length < same.count) same.fields.push(field);
  });
  // A collection may have named a field twice, whose texts come again then.
  return asked.flatMap(({ part, same: { fields }, nth }) => {
    const field = fields[nth % fields.length];
    return field === undefined ? [] : [[part, field] as [TextPart, string]];
  });
}
