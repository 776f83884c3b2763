import { RecentMap } from '#server/memory/recent-map.ts';

/**
 * BERT's uncased tokenisation, as `models/static-embeddings/README.md` writes it down: clean, strip accents, lower-case, split into words
 * and punctuation, then each word into the longest known pieces.
 */

export const unknownToken = 100;
const wordCharactersMax = 100;
/** Words seen before keep their pieces: most of a text is made of few words. Room for some 30,000, as many as the vocabulary has. */
const rememberedBytesMax = 8 * 1024 * 1024;
/** What is kept of a word beside its units, in bytes: objects, lists and places in maps. */
const wordBytes = 240;
/** Tokens are capped, so no more text than this can matter; it keeps one huge value from holding a thread. */
const textCharactersMax = 65_536;

const plainAscii = /^[\t\n\r -~]*$/;
const dropped = /[^\P{C}\t\n\r]|\ufffd/gu;
const whiteSpace = /\s/gu;
const ideographs =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const accents = /\p{Mn}/gu;
/** Sorting a run of marks takes time quadratic in it: what is beyond 30 of them is left out. */
const longRuns = /(\p{M}{30})\p{M}+/gu;
const punctuation = /[!-/:-@[-`{-~\p{P}]/u;
const spacesOrPunctuation = /[\t\n\r !-/:-@[-`{-~\p{P}]/gu;

export interface Word {
  text: string;
  isPunctuation: boolean;
  /** Ids of its pieces. */
  pieces: readonly number[];
}

export class WordPiece {
  readonly #starts = new Map<string, number>();
  readonly #continuations = new Map<string, number>();
  /** Those met last; one that is met again leaves in its turn and comes anew, which costs less than noting each use. */
  readonly #words: RecentMap<Word>;
  #pieceCharactersMax = 0;

  /** @param tokens token i on line i */
  constructor(tokens: string, bytesMax = rememberedBytesMax) {
    this.#words = new RecentMap({ entriesMax: Number.POSITIVE_INFINITY, sizeMax: bytesMax });
    let id = 0;
    for (const token of tokens.split('\n')) {
      const isContinuation = token.startsWith('##');
      const piece = isContinuation ? token.slice(2) : token;
      if (piece !== '') (isContinuation ? this.#continuations : this.#starts).set(piece, id);
      this.#pieceCharactersMax = Math.max(this.#pieceCharactersMax, piece.length);
      id++;
    }
  }

  /** Whether it is a single piece, of a word of Latin letters and digits without accents. */
  isPiece(word: string): boolean {
    return this.#starts.has(word.toLowerCase());
  }

  /** The words of a text, in order, until their pieces are `tokensMax`; the last word's surplus pieces are cut. */
  words(text: string, tokensMax: number): Word[] {
    const words: Word[] = [];
    let room = tokensMax;
    const normal = normalise(text.slice(0, textCharactersMax));
    let start = 0;
    const take = (from: number, to: number): boolean => {
      const word = this.#word(normal.slice(from, to));
      words.push(word.pieces.length <= room ? word : { ...word, pieces: word.pieces.slice(0, room) });
      room -= word.pieces.length;
      return room > 0;
    };
    for (const match of normal.matchAll(spacesOrPunctuation)) {
      const mark = match[0];
      if (match.index > start && !take(start, match.index)) return words;
      start = match.index + mark.length;
      if (!isSpace(mark) && !take(match.index, start)) return words;
    }
    if (start < normal.length) take(start, normal.length);
    return words;
  }

  #word(text: string): Word {
    const known = this.#words.peek(text);
    if (known) return known;
    const isRemembered = text.length <= wordCharactersMax;
    const own = isRemembered ? copyOf(text) : text;
    const word = { text: own, isPunctuation: punctuation.test(text), pieces: this.#pieces(text) };
    if (isRemembered) this.#words.set(own, word, wordBytes + 2 * own.length + 8 * word.pieces.length);
    return word;
  }

  #pieces(word: string): number[] {
    if (word.length > wordCharactersMax && [...word].length > wordCharactersMax) return [unknownToken];
    const pieces: number[] = [];
    let start = 0;
    while (start < word.length) {
      const known = start === 0 ? this.#starts : this.#continuations;
      let end = Math.min(word.length, start + this.#pieceCharactersMax);
      let id: number | undefined;
      for (; end > start; end--) {
        id = known.get(word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknownToken];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }
}

/** A slice would keep the whole text alive in which the word was first met. */
function copyOf(word: string): string {
  const units = new Uint16Array(word.length);
  for (let i = 0; i < units.length; i += 1) units[i] = word.charCodeAt(i);
  return String.fromCharCode(...units);
}

function normalise(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return text
    .replaceAll(dropped, '')
    .replaceAll(whiteSpace, ' ')
    .replaceAll(ideographs, ' $& ')
    .replaceAll(longRuns, '$1')
    .normalize('NFD')
    .replaceAll(accents, '')
    .toLowerCase();
}

function isSpace(mark: string): boolean {
  return mark === ' ' || mark === '\n' || mark === '\t' || mark === '\r';
}
