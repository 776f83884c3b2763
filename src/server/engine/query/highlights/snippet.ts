/** Which part of a text is shown, and how it is marked. */
import { withRoom } from '../../memory/with-room.ts';
import { escapeHtml, needsEscape } from '../../text/html.ts';
import type { WordSpans } from '../../text/word-spans.ts';

/** Words of a snippet. */
export const wordsMax = 30;

/** The words of a text that match, in its order; only the first `count` elements count. */
export interface Matches {
  count: number;
  /** Which word of the text it is. */
  places: Int32Array;
  /** Which matched word it is. */
  numbers: Int32Array;
  /** Where it is marked. */
  starts: Int32Array;
  ends: Int32Array;
}

/** Adds matches, in the order of the text. */
export function addMatches(
  matches: Matches,
  added: { place: number; number: number; start: number; end: number }[],
): void {
  const all = Array.from({ length: matches.count }, (_, i) => ({
    place: matches.places[i] ?? 0,
    number: matches.numbers[i] ?? 0,
    start: matches.starts[i] ?? 0,
    end: matches.ends[i] ?? 0,
  }));
  all.push(...added);
  all.sort((a, b) => a.place - b.place || a.start - b.start || b.end - a.end);
  matches.count = all.length;
  matches.places = Int32Array.from(all, ({ place }) => place);
  matches.numbers = Int32Array.from(all, ({ number }) => number);
  matches.starts = Int32Array.from(all, ({ start }) => start);
  matches.ends = Int32Array.from(all, ({ end }) => end);
}

/** A run of words, by the place of its first, and what it holds. */
export interface Window {
  first: number;
  /** Different matched words. */
  distinct: number;
  matches: number;
}

export const isBetter = (a: Window, b: Window): boolean =>
  a.distinct > b.distinct || (a.distinct === b.distinct && a.matches > b.matches);

/** By matched word: how often it stands in the window; all 0 between texts. */
let timesInside = new Int32Array(64);

/** The best of the windows that end in a match, moved so that its matches stand in its middle. There must be a match. */
export function bestWindow({ count, places, numbers }: Matches, words: number): Window {
  const best: Window = { first: 0, distinct: 0, matches: 0 };
  let numbersEnd = 0;
  for (let i = 0; i < count; i += 1) numbersEnd = Math.max(numbersEnd, (numbers[i] ?? 0) + 1);
  timesInside = withRoom(timesInside, numbersEnd);
  const inside = timesInside;
  let bestFrom = 0;
  let from = 0;
  let distinct = 0;
  for (let to = 0; to < count; to += 1) {
    const last = places[to] ?? 0;
    for (; (places[from] ?? 0) <= last - wordsMax; from += 1) {
      const gone = numbers[from] ?? 0;
      const left = (inside[gone] ?? 0) - 1;
      inside[gone] = left;
      if (left === 0) distinct -= 1;
    }
    const come = numbers[to] ?? 0;
    const times = (inside[come] ?? 0) + 1;
    inside[come] = times;
    if (times === 1) distinct += 1;
    const matches = to - from + 1;
    if (distinct > best.distinct || (distinct === best.distinct && matches > best.matches)) {
      best.distinct = distinct;
      best.matches = matches;
      bestFrom = from;
    }
  }
  for (; from < count; from += 1) inside[numbers[from] ?? 0] = 0;
  const firstMatch = places[bestFrom] ?? 0;
  const lastMatch = places[bestFrom + best.matches - 1] ?? 0;
  const spare = wordsMax - (lastMatch - firstMatch + 1);
  best.first = Math.max(0, Math.min(firstMatch - (spare >> 1), words - wordsMax));
  return best;
}

/** The window of `wordsMax` words from `first` on. */
export function render(
  text: string,
  { spans, matches, first }: { spans: WordSpans; matches: Matches; first: number },
): { snippet: string; matchedTokens: string[] } {
  const { bounds, count } = spans;
  // A text of emoji alone has no words.
  const end = Math.max(1, Math.min(count, first + wordsMax));
  const from = first === 0 ? 0 : (bounds[2 * first] ?? 0);
  const to = count <= wordsMax ? text.length : (bounds[2 * end - 1] ?? text.length);
  // One look at the whole instead of one at each piece.
  const escaped = needsEscape(text.slice(from, to)) ? escapeHtml : asItIs;
  const matchedTokens: string[] = [];
  let snippet = '';
  let at = from;
  for (let i = 0; i < matches.count; i += 1) {
    const place = matches.places[i] ?? 0;
    if (place < first) continue;
    if (place >= end) break;
    const start = matches.starts[i] ?? 0;
    if (start >= to) break;
    let markEnd = matches.ends[i] ?? 0;
    // Words of scripts without spaces overlap: overlapping matches are one mark.
    for (; i + 1 < matches.count; i += 1) {
      const next = matches.places[i + 1] ?? 0;
      if (next >= end || (matches.starts[i + 1] ?? 0) >= markEnd) break;
      markEnd = Math.max(markEnd, matches.ends[i + 1] ?? 0);
    }
    const word = text.slice(start, markEnd);
    if (!matchedTokens.includes(word)) matchedTokens.push(word);
    snippet += `${escaped(text.slice(at, start))}<mark>${markEnd > to ? escapeHtml(word) : escaped(word)}</mark>`;
    at = markEnd;
  }
  snippet += escaped(text.slice(at, to));
  const isCut = Math.max(at, to) < text.length;
  return { snippet: `${from > 0 ? '… ' : ''}${snippet}${isCut ? ' …' : ''}`, matchedTokens };
}

const asItIs = (text: string): string => text;
