import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import type { PlacedText } from './embedding-text.ts';
import type { PassageLimits } from './passage-limits.ts';
import { type Span, splitInSteps } from './split-sentences.ts';

/** A part of a document's text that has a vector of its own. */
export interface Passage {
  text: string;
  /** In the document's text. */
  start: number;
  end: number;
}

/** What it takes to begin with a part, in the engine's units of work. */
const lookUnits = 16;

/** A passage begins with the last sentences of the one before it, if they have no more than this share of a passage. */
const overlapShare = 1 / 6;

/**
 * A text's passages at the borders of its sentences, one where it is short. Each but the last is as long as sentences allow; a single sentence
 * may be longer. What lies beyond `most` passages is not embedded. Linear in the text.
 */
export function* passagesOf(
  { text, parts }: Pick<PlacedText, 'text' | 'parts'>,
  limits: PassageLimits,
): Steps<Passage[]> {
  if (!isCut(text, limits)) return [{ text, start: 0, end: text.length }];
  const sentences: Span[] = [];
  for (const part of parts) {
    for (const { start, end } of yield* splitInSteps(text.slice(part.start, part.end)))
      sentences.push({ start: part.start + start, end: part.start + end });
    if (isPauseDue(lookUnits)) yield;
  }
  const startOf = (sentence: number) => sentences[sentence]?.start ?? 0;
  const endOf = (sentence: number) => sentences[sentence]?.end ?? 0;
  const passages: Passage[] = [];
  for (let first = 0; first < sentences.length && passages.length < limits.most; ) {
    const start = startOf(first);
    let next = first + 1;
    const hasRoom = (from: number) => next < sentences.length && endOf(next) - from <= limits.characters;
    while (hasRoom(start)) next += 1;
    const end = endOf(next - 1);
    passages.push({ text: text.slice(start, end), start, end });
    if (next === sentences.length) break;
    // Behind the beginning, or there would be no end.
    const overlapStart = Math.max(start + 1, end - limits.characters * overlapShare);
    first = next;
    while (startOf(first - 1) >= overlapStart && hasRoom(startOf(first - 1))) first -= 1;
  }
  return passages;
}

/** Whether a text has several passages. */
export const isCut = (text: string, { characters, most }: PassageLimits): boolean =>
  most > 1 && text.length > characters;

/**
 * Passages that a text of so many characters has at most: what two in a row cover between them is longer than one may be, or the second's first
 * sentence would lie in the first, and overlaps take no more than their share.
 */
export function passagesAtMost(characters: number, limits: PassageLimits): number {
  if (limits.most === 1 || characters <= limits.characters) return 1;
  const two = limits.characters * (1 - overlapShare);
  return Math.min(limits.most, Math.floor((2 * characters) / two) + 2);
}
