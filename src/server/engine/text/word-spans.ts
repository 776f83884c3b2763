/**
 * Where the words of a text start and end (UTF-16 offsets), before they are folded. The arrays are used again for the next text.
 *
 * - A word is a run of letters, digits and marks (Unicode general categories). Everything else separates; soft hyphens and joiners
 *   inside a word are ignored. An English possessive `'s` is not a word.
 * - Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) give overlapping pairs of characters and the last
 *   character alone, so that every substring of one or more characters can be found; these words overlap.
 *
 * Linear in the text; an ASCII character costs one table look-up, another one to three regular expressions.
 */
import { Utf8Scratch } from '../memory/bytes.ts';
import { withRoom } from '../memory/with-room.ts';
import { unitsAt } from './stream-safe.ts';

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
// The modifier apostrophe is in Thai's extensions, and is a letter of words in many scripts.
const UNSPACED =
  /(?!\u02bc)[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** What a character does to the word being read. */
const SEPARATES = 0;
const CONTINUES = 1;
const IGNORED = 2;
const STANDS_ALONE = 3;

export class WordSpans {
  count = 0;
  /** Two numbers a word, its start and its end; only those of the first `count` words count. */
  bounds = new Int32Array(512);
  /** By word: 1 where all its characters are ASCII. Not set where `bytes` says so of the whole text. */
  isAscii = new Uint8Array(256);
  /** The text's bytes where all of it is ASCII, until the next text is read. */
  bytes: Uint8Array | null = null;

  read(text: string): void {
    this.count = 0;
    // The bytes are as many as the characters where all are ASCII.
    const bytes = utf8.encode(text);
    this.bytes = bytes.length === text.length ? bytes : null;
    if (this.bytes === null) this.#readAny(text);
    else this.#readAscii(text, bytes);
  }

  /** Every place is written, and counted only where a word starts or ends: a branch there is mostly mispredicted and costs twice as much. */
  #readAscii(text: string, bytes: Uint8Array): void {
    this.bounds = withRoom(this.bounds, bytes.length + 2);
    const { bounds } = this;
    const kinds = asciiKinds;
    let count = 0;
    let before = 0;
    for (let i = 0; i < bytes.length; i += 1) {
      const kind = kinds[bytes[i] ?? 0] ?? 0;
      bounds[count] = i;
      count += kind ^ before;
      before = kind;
    }
    bounds[count] = bytes.length;
    this.count = (count + before) >>> 1;
    if (text.includes("'")) this.#dropPossessives(text);
  }

  #dropPossessives(text: string): void {
    const { bounds } = this;
    let count = 0;
    for (let i = 0; i < this.count; i += 1) {
      const start = bounds[2 * i] ?? 0;
      const end = bounds[2 * i + 1] ?? 0;
      if (end - start === 1 && isPossessive(text, start)) continue;
      bounds[2 * count] = start;
      bounds[2 * count + 1] = end;
      count += 1;
    }
    this.count = count;
  }

  #readAny(text: string): void {
    let start = -1;
    let isAscii = 1;
    let index = 0;
    while (index < text.length) {
      const code = text.charCodeAt(index);
      const kind = kindAt(text, index);
      if (kind === CONTINUES || (kind === IGNORED && start >= 0)) {
        if (start < 0) start = index;
        if (code >= 0x80) isAscii = 0;
      } else {
        if (start >= 0) this.#push(text, start, index, isAscii);
        start = -1;
        isAscii = 1;
        if (kind === STANDS_ALONE) {
          index = this.#pushPairs(text, index);
          continue;
        }
      }
      index += unitsAt(text, index);
    }
    if (start >= 0) this.#push(text, start, text.length, isAscii);
  }

  #push(text: string, start: number, end: number, isAscii: number): void {
    if (end - start === 1 && isPossessive(text, start)) return;
    const place = this.count;
    this.count = place + 1;
    this.bounds = withRoom(this.bounds, 2 * this.count);
    this.isAscii = withRoom(this.isAscii, this.count);
    this.bounds[2 * place] = start;
    this.bounds[2 * place + 1] = end;
    this.isAscii[place] = isAscii;
  }

  /** Reads a run of a script without spaces. Returns where it ends. */
  #pushPairs(text: string, from: number): number {
    let previous = -1;
    let start = from;
    while (start < text.length && kindAt(text, start) === STANDS_ALONE) {
      const end = clusterEnd(text, start);
      if (previous >= 0) this.#push(text, previous, end, 0);
      previous = start;
      start = end;
    }
    this.#push(text, previous, start, 0);
    return start;
  }
}

/** The `s` of `user's`. */
function isPossessive(text: string, start: number): boolean {
  if (start < 2) return false;
  const letter = text.charCodeAt(start);
  if (letter !== 0x73 && letter !== 0x53) return false;
  const before = text.charCodeAt(start - 1);
  return (before === 0x27 || before === 0x2019) && kindAt(text, start - 2) === CONTINUES;
}

/** End of a character with the marks that belong to it. */
function clusterEnd(text: string, start: number): number {
  let end = start + unitsAt(text, start);
  // A run of marks has no natural end; eight are more than any script stacks.
  for (let marks = 0; marks < 8 && end < text.length && MARK.test(characterAt(text, end)); marks += 1) {
    end += unitsAt(text, end);
  }
  return end;
}

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return asciiKinds[code] ?? SEPARATES;
  if (code === 0xad || code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff) {
    return IGNORED;
  }
  const character = characterAt(text, index);
  if (!WORD.test(character)) return SEPARATES;
  return UNSPACED.test(character) && !isSharedMark(character) ? STANDS_ALONE : CONTINUES;
}

/** Marks that several scripts use (a combining accent) belong to the word they are in. */
function isSharedMark(character: string): boolean {
  return MARK.test(character) && !/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(character);
}

function characterAt(text: string, index: number): string {
  return text.slice(index, index + unitsAt(text, index));
}

const utf8 = new Utf8Scratch();

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? CONTINUES : SEPARATES,
);
