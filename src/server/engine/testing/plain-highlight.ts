import { othersOf, tokenize } from '../text/analyzer.ts';
import { escapeHtml } from '../text/html.ts';
import { plainWords } from '../text/word-rules.ts';
import { WordSpans } from '../text/word-spans.ts';

/** Highlights written plainly: what `query/highlights` must answer, whatever it does to be fast. */
interface FieldHighlight {
  field: string;
  snippet: string;
  matchedTokens: string[];
}

interface TextToken {
  token: string;
  start: number;
  end: number;
}

const wordsMax = 30;
const charactersMax = 20_000;
const elementsMax = 1_000;
const fieldsMax = 100;
const depthMax = 64;

/** `fields` null: every text field with a match. A named field without a match has no highlight; a list's best element is shown. */
export function plainHighlight(
  source: Record<string, unknown>,
  fields: string[] | null,
  isMatch: (token: string) => boolean,
): FieldHighlight[] {
  const textsByField = new Map<string, string[]>();
  for (const [key, value] of Object.entries(source)) {
    if (key !== 'id' && key !== 'embedding') collect(value, key, 1, textsByField);
  }
  const wanted = fields === null ? [...textsByField.keys()] : [...new Set(fields)];
  const highlights: FieldHighlight[] = [];
  for (const field of wanted) {
    if (highlights.length === fieldsMax) break;
    const best = bestOf(textsByField.get(field) ?? [], isMatch);
    if (best !== null) highlights.push({ field, ...best });
  }
  return highlights;
}

function collect(value: unknown, path: string, depth: number, into: Map<string, string[]>): void {
  if (typeof value === 'string') {
    const texts = into.get(path);
    if (texts === undefined) into.set(path, [value]);
    else if (texts.length < elementsMax) texts.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null || depth >= depthMax) return;
  if (Array.isArray(value)) {
    for (const element of value) collect(element, path, depth + 1, into);
    return;
  }
  for (const [key, inner] of Object.entries(value)) collect(inner, `${path}.${key}`, depth + 1, into);
}

/** A run of tokens and what it holds. */
interface Window {
  first: number;
  distinct: number;
  matches: number;
}

/** A word that matches: behind which of the text's words it stands, or which one it is, and what is marked. */
interface Mark {
  place: number;
  word: string;
  start: number;
  end: number;
}

function bestOf(texts: string[], isMatch: (token: string) => boolean): Omit<FieldHighlight, 'field'> | null {
  let best: { text: string; tokens: TextToken[]; marks: Mark[]; window: Window } | null = null;
  let charactersLeft = charactersMax;
  for (const whole of texts) {
    if (charactersLeft <= 0) break;
    const text = wholeCharacters(whole, charactersLeft);
    charactersLeft -= text.length;
    const tokens = tokenize(text);
    const marks = marksIn(text, tokens).filter(({ word }) => isMatch(word));
    const window = bestWindow(tokens.length, marks);
    if (window.matches > 0 && (best === null || isBetter(window, best.window))) {
      // The whole text counts where nothing is cut, so that its end is shown as it is.
      best = { text: tokens.length <= wordsMax ? text : whole, tokens, marks, window };
    }
  }
  return best === null ? null : render(best.text, best.tokens, best.marks, best.window);
}

/** All words of a text, in its order. */
function marksIn(text: string, tokens: TextToken[]): Mark[] {
  const marks = tokens.map(({ token, start, end }, place) => ({ place, word: token, start, end }));
  const spans = new WordSpans();
  spans.read(text);
  for (const { word, start, end } of othersOf(text, spans, plainWords)) {
    const own = tokens.findIndex((token) => token.end > start && token.start < end);
    const before = tokens.findLastIndex((token) => token.end <= start);
    marks.push({ place: Math.max(0, own >= 0 ? own : before), word, start, end });
  }
  return marks.sort((a, b) => a.place - b.place || a.start - b.start || b.end - a.end);
}

const isBetter = (a: Window, b: Window): boolean =>
  a.distinct > b.distinct || (a.distinct === b.distinct && a.matches > b.matches);

/** Every window that ends in a word of the text. */
function bestWindow(size: number, marks: Mark[]): Window {
  let best: Window = { first: 0, distinct: 0, matches: 0 };
  for (const { place: last } of marks) {
    const first = Math.max(0, last - wordsMax + 1);
    const inside = marks.filter(({ place }) => place >= first && place <= last);
    const window = { first, distinct: new Set(inside.map(({ word }) => word)).size, matches: inside.length };
    if (isBetter(window, best)) best = window;
  }
  return centred(best, size, marks);
}

/** Moves a window so that its matches stand in its middle: found sliding, they stand at its end. */
function centred(window: Window, size: number, marks: Mark[]): Window {
  if (size <= wordsMax || window.matches === 0) return { ...window, first: 0 };
  const inWindow = marks.filter(({ place }) => place >= window.first && place < window.first + wordsMax);
  const firstMatch = inWindow[0]?.place ?? 0;
  const lastMatch = inWindow.at(-1)?.place ?? 0;
  const spare = wordsMax - (lastMatch - firstMatch + 1);
  const first = Math.max(0, Math.min(firstMatch - (spare >> 1), size - wordsMax));
  return { ...window, first };
}

function render(
  text: string,
  tokens: TextToken[],
  marks: Mark[],
  { first }: Window,
): Omit<FieldHighlight, 'field'> {
  const last = Math.max(0, Math.min(tokens.length, first + wordsMax) - 1);
  const from = first === 0 ? 0 : (tokens[first]?.start ?? 0);
  const to = tokens.length <= wordsMax ? text.length : (tokens[last]?.end ?? text.length);
  const shown = marks.filter(({ place, start }) => place >= first && place <= last && start < to);
  const matchedTokens = new Set<string>();
  let snippet = '';
  let at = from;
  for (const { start, end } of markedRanges(shown)) {
    const word = text.slice(start, end);
    matchedTokens.add(word);
    snippet += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(word)}</mark>`;
    at = end;
  }
  snippet += escapeHtml(text.slice(at, to));
  const isCut = Math.max(at, to) < text.length;
  return {
    snippet: `${from > 0 ? '… ' : ''}${snippet}${isCut ? ' …' : ''}`,
    matchedTokens: [...matchedTokens],
  };
}

/** Where marks go: matches that overlap are one. */
function markedRanges(marks: Mark[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of marks) {
    const before = ranges.at(-1);
    if (before !== undefined && start < before.end) before.end = Math.max(before.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** The first `length` units of a text, one fewer where that would part a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
