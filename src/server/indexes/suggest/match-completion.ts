import {
  escapeHtml,
  foldWord,
  lettersOf,
  type Token,
  TypoMatcher,
  typosAllowed,
} from '#server/engine/search-index.ts';
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

  constructor(words: readonly string[]) {
    this.words = words;
    this.#words = words.map((word) => {
      const most = typosAllowed(word, typosMax);
      return { word, matcher: new TypoMatcher(word, most), letters: lettersOf(word).length, typosMax: most };
    });
  }

  /** Each typed word begins another word of the text, in their order, maybe with typos. Null: they do not. */
  match({ text, words }: Completion, { withTypos }: { withTypos: boolean }): Match | null {
    const typed: Match['typed'] = [];
    let typos = 0;
    let isLeading = true;
    let next = 0;
    for (const [place, word] of this.#words.entries()) {
      const found = nextLike(words, next, { word, withTypos });
      if (found === null) return null;
      typos += found.typos;
      if (found.at !== place) isLeading = false;
      const token = words[found.at];
      if (found.typos === 0 && token) typed.push(typedPart(text, token, word.word));
      next = found.at + 1;
    }
    return { typos, isLeading, typed };
  }
}

const mark = /\p{M}/u;
const firstMark = 0x300;

/** Of a word that is begun by the typed one. Folding makes several letters of one, and one of a letter and its marks. */
function typedPart(text: string, { start, end }: Token, typed: string): { start: number; end: number } {
  const usual = start + typed.length;
  const isUsual = text.slice(start, usual).toLowerCase() === typed;
  if (isUsual && (usual >= end || text.charCodeAt(usual) < firstMark)) return { start, end: usual };
  let until = start;
  for (const letter of text.slice(start, end)) {
    if (!mark.test(letter) && foldWord(text.slice(start, until)).length >= typed.length) break;
    until += letter.length;
  }
  return { start, end: until };
}

/**
 * The first word from `from` that is begun by the typed one; else, with typos, the first of those nearest to it. People rarely get the
 * first letter wrong; where it is another one, nothing is compared.
 */
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
    const token = words[at]?.token ?? '';
    if (token[0] !== word.word[0] || token.length < word.letters - word.typosMax) continue;
    const typos = word.matcher.distanceToBeginning(lettersOf(token));
    if (typos <= word.typosMax && typos < (best?.typos ?? Number.POSITIVE_INFINITY)) best = { at, typos };
  }
  return best;
}

/** HTML-escaped, with marks around what was not typed. */
export function highlighted(text: string, typed: Match['typed']): string {
  let html = '';
  let at = 0;
  for (const { start, end } of typed) {
    // Words of two Chinese letters overlap.
    const from = Math.max(at, start);
    html += marked(text.slice(at, from)) + escapeHtml(text.slice(from, end));
    at = Math.max(at, end);
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
