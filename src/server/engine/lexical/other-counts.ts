/**
 * How many documents hold a word only as another word of their texts (`text/other-words.ts`), and which terms have such words: filters, which
 * do not know them, ask the texts of these.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { roomSteps, withRoom } from '../memory/with-room.ts';
import type { Steps } from '../steps.ts';

export class OtherCounts {
  /** By word. */
  #documents = new Uint32Array(64);
  /** By term: its words that any document holds so. */
  #words = new Uint32Array(64);

  get memoryBytes(): number {
    return this.#documents.byteLength + this.#words.byteLength;
  }

  makeRoom(strings: number): void {
    this.#documents = withRoom(this.#documents, strings);
    this.#words = withRoom(this.#words, strings);
  }

  *reserve(strings: number): Steps<void> {
    this.#documents = yield* roomSteps(this.#documents, strings);
    this.#words = yield* roomSteps(this.#words, strings);
  }

  count(word: number, term: number, change: number): void {
    const before = this.of(word);
    this.#documents[word] = before + change;
    const words = Number(before + change > 0) - Number(before > 0);
    this.#words[term] = (this.#words[term] ?? 0) + words;
  }

  of(word: number): number {
    return this.#documents[word] ?? 0;
  }

  hasWords(term: number): boolean {
    return (this.#words[term] ?? 0) > 0;
  }

  encode(writer: SectionWriter, strings: number): void {
    writer.array(this.#documents.subarray(0, strings));
    writer.array(this.#words.subarray(0, strings));
  }

  static *decode(reader: SectionReader): Steps<OtherCounts> {
    const counts = new OtherCounts();
    counts.#documents = yield* reader.uint32();
    counts.#words = yield* reader.uint32();
    return counts;
  }
}
