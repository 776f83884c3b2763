import { tokenize } from '../text/analyzer.ts';
import { escapeHtml } from '../text/html.ts';

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

function bestOf(texts: string[], isMatch: (token: string) => boolean): Omit<FieldHighlight, 'field'> | null {
  let best: { text: string; tokens: TextToken[]; matched: boolean[]; window: Window } | null = null;
  let charactersLeft = charactersMax;
  for (const whole of texts) {
    if (charactersLeft <= 0) break;
    const text = wholeCharacters(whole, charactersLeft);
    charactersLeft -= text.length;
    const tokens = tokenize(text);
    const matched = tokens.map(({ token }) => isMatch(token));
    const window = bestWindow(tokens, matched);
    if (window.matches > 0 && (best === null || isBetter(window, best.window))) {
      // The whole text counts where nothing is cut, so that its end is shown as it is.
      best = { text: tokens.length <= wordsMax ? text : whole, tokens, matched, window };
    }
  }
  return best === null ? null : render(best.text, best.tokens, best.matched, best.window);
}

const isBetter = (a: Window, b: Window): boolean =>
  a.distinct > b.distinct || (a.distinct === b.distinct && a.matches > b.matches);

/** Slides over the tokens once, counting matched tokens as they come in and go out. */
function bestWindow(tokens: TextToken[], matched: boolean[]): Window {
  const inside = new Map<string, number>();
  const current: Window = { first: 0, distinct: 0, matches: 0 };
  let best: Window = { ...current };
  const step = (place: number, change: 1 | -1): void => {
    const token = tokens[place]?.token;
    if (token === undefined || matched[place] !== true) return;
    const count = (inside.get(token) ?? 0) + change;
    inside.set(token, count);
    current.matches += change;
    if (change === 1 && count === 1) current.distinct++;
    if (change === -1 && count === 0) current.distinct--;
  };
  for (let last = 0; last < tokens.length; last++) {
    step(last, 1);
    if (last >= wordsMax) step(current.first++, -1);
    if (isBetter(current, best)) best = { ...current };
  }
  return centred(best, tokens.length, matched);
}

/** Moves a window so that its matches stand in its middle: found sliding, they stand at its end. */
function centred(window: Window, size: number, matched: boolean[]): Window {
  if (size <= wordsMax || window.matches === 0) return { ...window, first: 0 };
  const inWindow = matched.slice(window.first, window.first + wordsMax);
  const firstMatch = window.first + inWindow.indexOf(true);
  const lastMatch = window.first + inWindow.lastIndexOf(true);
  const spare = wordsMax - (lastMatch - firstMatch + 1);
  const first = Math.max(0, Math.min(firstMatch - (spare >> 1), size - wordsMax));
  return { ...window, first };
}

function render(
  text: string,
  tokens: TextToken[],
  matched: boolean[],
  { first }: Window,
): Omit<FieldHighlight, 'field'> {
  const last = Math.min(tokens.length, first + wordsMax) - 1;
  const from = first === 0 ? 0 : (tokens[first]?.start ?? 0);
  const to =
    last === tokens.length - 1 && tokens.length <= wordsMax
      ? text.length
      : (tokens[last]?.end ?? text.length);
  const matchedTokens = new Set<string>();
  let snippet = '';
  let at = from;
  for (const { start, end } of markedRanges(tokens, matched, { first, last })) {
    const word = text.slice(start, end);
    matchedTokens.add(word);
    snippet += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(word)}</mark>`;
    at = end;
  }
  snippet += escapeHtml(text.slice(at, to));
  return {
    snippet: `${from > 0 ? '… ' : ''}${snippet}${to < text.length ? ' …' : ''}`,
    matchedTokens: [...matchedTokens],
  };
}

/** Where marks go. Tokens of scripts without spaces overlap; overlapping matches are one mark. */
function markedRanges(
  tokens: TextToken[],
  matched: boolean[],
  { first, last }: { first: number; last: number },
): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let place = first; place <= last; place++) {
    const token = tokens[place];
    if (token === undefined || matched[place] !== true) continue;
    const before = ranges.at(-1);
    if (before !== undefined && token.start < before.end) before.end = Math.max(before.end, token.end);
    else ranges.push({ start: token.start, end: token.end });
  }
  return ranges;
}

/** The first `length` units of a text, one fewer where that would part a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
