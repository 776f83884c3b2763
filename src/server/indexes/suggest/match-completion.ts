import { escapeHtml, lettersOf, type Token, TypoMatcher, typosAllowed } from '#server/engine/search-index.ts';
import type { Completion } from './popular-queries.ts';

/** How a text completes what is typed. */
export interface Match {
  typos: number;
  /** What is typed begins the text. */
  isLeading: boolean;
  /** What of the text was typed, in order. */
  typed: { start: number; end: number }[];
}

interface TypedWord {
  word: string;
  matcher: TypoMatcher;
  letters: number;
  typosMax: number;
}

const typosMax = 2;

/** What is typed, word by word; each may be a beginning. */
export class TypedText {
  readonly words: readonly string[];
  readonly #words: TypedWord[];

  constructor(words: string[]) {
    this.words = words;
    this.#words = words.map((word) => {
      const most = typosAllowed(word, typosMax);
      return { word, matcher: new TypoMatcher(word, most), letters: lettersOf(word).length, typosMax: most };
    });
  }

  /** Each typed word begins another word of the text, in their order, maybe with typos. Null: they do not. */
  match({ words }: Pick<Completion, 'words'>, { withTypos }: { withTypos: boolean }): Match | null {
    const typed: Match['typed'] = [];
    let typos = 0;
    let isLeading = true;
    let next = 0;
    for (const [place, word] of this.#words.entries()) {
      const found = nextLike(words, next, { word, withTypos });
      if (found === null) return null;
      typos += found.typos;
      if (found.at !== place) isLeading = false;
      if (found.typos === 0) typed.push(typedPart(words[found.at], word.word));
      next = found.at + 1;
    }
    return { typos, isLeading, typed };
  }
}

function typedPart(token: Token | undefined, word: string): { start: number; end: number } {
  const { start, end } = token ?? { start: 0, end: 0 };
  return { start, end: Math.min(end, start + word.length) };
}

/** The first word from `from` that is begun by the typed one; else, with typos, the first of those nearest to it. */
function nextLike(
  words: Token[],
  from: number,
  { word, withTypos }: { word: TypedWord; withTypos: boolean },
): { at: number; typos: number } | null {
  for (let at = from; at < words.length; at += 1)
    if (words[at]?.token.startsWith(word.word)) return { at, typos: 0 };
  if (!withTypos || word.typosMax === 0) return null;
  let best: { at: number; typos: number } | null = null;
  for (let at = from; at < words.length; at += 1) {
    const typos = typosOfBeginning(word, words[at]?.token ?? '');
    if (typos <= word.typosMax && typos < (best?.typos ?? Number.POSITIVE_INFINITY)) best = { at, typos };
  }
  return best;
}

function typosOfBeginning({ matcher, letters: length, typosMax }: TypedWord, token: string): number {
  const letters = lettersOf(token);
  let least = typosMax + 1;
  for (let columns = Math.max(1, length - typosMax); columns <= length + typosMax; columns += 1)
    if (columns <= letters.length) least = Math.min(least, matcher.distanceTo(letters, columns));
  return least;
}

/** HTML-escaped, with marks around what was not typed. */
export function highlighted(text: string, typed: Match['typed']): string {
  let html = '';
  let at = 0;
  for (const { start, end } of typed) {
    html += marked(text.slice(at, start)) + escapeHtml(text.slice(start, end));
    at = end;
  }
  return html + marked(text.slice(at));
}

/** Spaces around it are nothing that would be completed. */
function marked(text: string): string {
  const completed = text.trim();
  if (completed === '') return escapeHtml(text);
  const start = text.indexOf(completed);
  const end = start + completed.length;
  return `${escapeHtml(text.slice(0, start))}<mark>${escapeHtml(completed)}</mark>${escapeHtml(text.slice(end))}`;
}
