/**
 * Where the words of a text start and end (UTF-16 offsets), before they are folded. The arrays are used again for the next text.
 *
 * - A word is a run of letters, digits and marks (Unicode general categories). Everything else separates; soft hyphens and joiners
 *   inside a word are ignored. An English possessive `'s` is not a word.
 * - Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) give overlapping pairs of characters and the last
 *   character alone, so that every substring of one or more characters can be found; these words overlap.
 *
 * A long text can be read part by part. Linear in the text; a character costs a table look-up or two.
 */
import { Utf8Scratch } from '../memory/bytes.ts';
import { withRoom } from '../memory/with-room.ts';
import { unitsAt } from './stream-safe.ts';

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
/** Variants and colours of skin. */
const CHANGES_EMOJI = /[\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;
/** Pictures before it are signs of texts: ©, ™, ↔. */
const firstEmoji = 0x2600;
// The modifier apostrophe is in Thai's extensions, and is a letter of words in many scripts.
const UNSPACED =
  /(?!\u02bc)[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** What a character does to the word being read. */
const SEPARATES = 0;
const CONTINUES = 1;
const IGNORED = 2;
const STANDS_ALONE = 3;

const NONE = -1;

/** An emoji, and how many of the words that were read with it end before it. */
export interface EmojiSpan {
  start: number;
  end: number;
  wordsBefore: number;
}

export class WordSpans {
  /** Words that were read last: all of the text, or those that ended in its last part. */
  count = 0;
  /** Two numbers a word, its start and its end; only those of the first `count` words count. */
  bounds = new Int32Array(512);
  /** By word: 1 where all its characters are ASCII. Not set where `bytes` says so of the whole text. */
  isAscii = new Uint8Array(256);
  /** Those that were read last. They are no words here. */
  emoji: EmojiSpan[] = [];
  /** The text's bytes where all of it is ASCII, until the next text is read. */
  bytes: Uint8Array | null = null;
  readonly #utf8 = new Utf8Scratch();
  #text = '';
  #hasApostrophes = false;
  #at = 0;
  /** Where the word begins that has not ended yet. */
  #open = NONE;
  #openIsAscii = 1;
  /** The last character of a script without spaces, until it is known what follows. */
  #pair = NONE;

  read(text: string): void {
    this.begin(text);
    this.readOn(text.length);
  }

  /** `readOn` reads this text. */
  begin(text: string): void {
    // The bytes are as many as the characters where all are ASCII.
    const bytes = this.#utf8.encode(text);
    this.bytes = bytes.length === text.length ? bytes : null;
    this.#text = text;
    this.#hasApostrophes = this.bytes !== null && text.includes("'");
    this.#at = 0;
    this.#open = NONE;
    this.#openIsAscii = 1;
    this.#pair = NONE;
    this.count = 0;
    this.emoji = noEmoji;
  }

  /** Reads so many units more, and finds the words that end there. @returns whether there is more */
  readOn(units: number): boolean {
    const to = Math.min(this.#text.length, this.#at + units);
    this.count = 0;
    this.emoji = noEmoji;
    if (this.bytes === null) this.#readAny(to);
    else this.#readAscii(this.bytes, to);
    if (this.#at < this.#text.length) return true;
    // Nothing keeps the text alive.
    this.#text = '';
    return false;
  }

  /** Every place is written, and counted only where a word starts or ends: a branch there is mostly mispredicted and costs twice as much. */
  #readAscii(bytes: Uint8Array, to: number): void {
    this.bounds = withRoom(this.bounds, to - this.#at + 3);
    const { bounds } = this;
    const kinds = asciiKinds;
    let before = Number(this.#open >= 0);
    let count = before;
    bounds[0] = this.#open;
    for (let i = this.#at; i < to; i += 1) {
      const kind = kinds[bytes[i] ?? 0] ?? 0;
      bounds[count] = i;
      count += kind ^ before;
      before = kind;
    }
    if (to === bytes.length) {
      bounds[count] = to;
      count += before;
      before = 0;
    }
    this.#at = to;
    this.#open = before === 1 ? (bounds[count - 1] ?? NONE) : NONE;
    this.count = count >>> 1;
    if (this.#hasApostrophes) this.#dropPossessives();
  }

  #dropPossessives(): void {
    const { bounds } = this;
    let count = 0;
    for (let i = 0; i < this.count; i += 1) {
      const start = bounds[2 * i] ?? 0;
      const end = bounds[2 * i + 1] ?? 0;
      if (end - start === 1 && isPossessive(this.#text, start)) continue;
      bounds[2 * count] = start;
      bounds[2 * count + 1] = end;
      count += 1;
    }
    this.count = count;
  }

  /** May read some units beyond `to`: the marks of a character belong to it. */
  #readAny(to: number): void {
    const text = this.#text;
    let index = this.#at;
    while (index < to) {
      const kind = kindAt(text, index);
      if (kind === STANDS_ALONE) {
        this.#endWord(index);
        const end = clusterEnd(text, index);
        this.#endPairs(end);
        this.#pair = index;
        index = end;
        continue;
      }
      this.#endPairs(index);
      if (kind === CONTINUES || (kind === IGNORED && this.#open >= 0)) {
        if (this.#open < 0) this.#open = index;
        if (text.charCodeAt(index) >= 0x80) this.#openIsAscii = 0;
      } else {
        this.#endWord(index);
        if (isEmojiAt(text, index)) {
          const end = emojiEnd(text, index);
          if (this.emoji === noEmoji) this.emoji = [];
          this.emoji.push({ start: index, end, wordsBefore: this.count });
          index = end;
          continue;
        }
      }
      index += unitsAt(text, index);
    }
    this.#at = index;
    if (index < text.length) return;
    this.#endPairs(index);
    this.#endWord(index);
  }

  #endWord(end: number): void {
    if (this.#open >= 0) this.#push(this.#open, end, this.#openIsAscii);
    this.#open = NONE;
    this.#openIsAscii = 1;
  }

  #endPairs(end: number): void {
    if (this.#pair >= 0) this.#push(this.#pair, end, 0);
    this.#pair = NONE;
  }

  #push(start: number, end: number, isAscii: number): void {
    if (end - start === 1 && isPossessive(this.#text, start)) return;
    const place = this.count;
    this.count = place + 1;
    this.bounds = withRoom(this.bounds, 2 * this.count);
    this.isAscii = withRoom(this.isAscii, this.count);
    this.bounds[2 * place] = start;
    this.bounds[2 * place + 1] = end;
    this.isAscii[place] = isAscii;
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
  for (let marks = 0; marks < 8 && end < text.length && (traitsAt(text, end) & MARKS) !== 0; marks += 1) {
    end += unitsAt(text, end);
  }
  return end;
}

const noEmoji: EmojiSpan[] = [];

/** No more are put together to one. */
const emojiUnitsMax = 40;
const ZERO_WIDTH_JOINER = 0x200d;

const isEmojiAt = (text: string, index: number): boolean =>
  index < text.length && (traitsAt(text, index) & EMOJI) !== 0;

/** End of an emoji with its variant and colour, of several that are joined, of a flag's two letters. */
function emojiEnd(text: string, start: number): number {
  let end = start + unitsAt(text, start);
  const isFlag = isFlagLetter(text, start) && isFlagLetter(text, end);
  if (isFlag) return end + unitsAt(text, end);
  while (end < text.length && end - start < emojiUnitsMax) {
    const isJoined = text.charCodeAt(end) === ZERO_WIDTH_JOINER && isEmojiAt(text, end + 1);
    if (!isJoined && !CHANGES_EMOJI.test(text.slice(end, end + unitsAt(text, end)))) break;
    end += isJoined ? 1 + unitsAt(text, end + 1) : unitsAt(text, end);
  }
  return end;
}

const isFlagLetter = (text: string, index: number): boolean =>
  /\p{Regional_Indicator}/u.test(text.slice(index, index + unitsAt(text, index)));

/** Whether a letter or digit stands here, of a script that is written with spaces. */
export const isSpacedAt = (text: string, index: number): boolean =>
  index >= 0 && index < text.length && kindAt(text, index) === CONTINUES;

const kindAt = (text: string, index: number): number => traitsAt(text, index) & KIND;

// What is known of a character: its kind, whether it is a mark, and that it was looked at.
const KIND = 3;
const MARKS = 4;
const KNOWN = 8;
const EMOJI = 16;

/** By UTF-16 unit, filled when one is met: asking the patterns each time took longer than all else. */
const traitsOf = new Uint8Array(0x10000);

function traitsAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const known = traitsOf[code] ?? 0;
  if (known !== 0) return known;
  const traits = readTraits(text.slice(index, index + unitsAt(text, index)), code);
  // Half of a pair is no character.
  if (code < 0xd800 || code > 0xdfff) traitsOf[code] = traits;
  return traits;
}

function readTraits(character: string, code: number): number {
  return (
    KNOWN |
    kindOf(character, code) |
    (MARK.test(character) ? MARKS : 0) |
    (isEmoji(character, code) ? EMOJI : 0)
  );
}

/** Half of a pair tells where the character lies, which is beyond `firstEmoji`. */
function isEmoji(character: string, code: number): boolean {
  return code >= firstEmoji && PICTURE.test(character) && !WORD.test(character);
}

function kindOf(character: string, code: number): number {
  if (code < 0x80) return asciiKinds[code] ?? SEPARATES;
  if (code === 0xad || code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff) {
    return IGNORED;
  }
  if (!WORD.test(character)) return SEPARATES;
  return UNSPACED.test(character) && !isSharedMark(character) ? STANDS_ALONE : CONTINUES;
}

/** Marks that several scripts use (a combining accent) belong to the word they are in. */
function isSharedMark(character: string): boolean {
  return MARK.test(character) && !/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(character);
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? CONTINUES : SEPARATES,
);
