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
  /** By term: how often a document holds a word of it as another word, be it also among its words: those may stand in another field. */
  #held = new Uint32Array(64);

  get memoryBytes(): number {
    return this.#documents.byteLength + this.#held.byteLength;
  }

  makeRoom(strings: number): void {
    this.#documents = withRoom(this.#documents, strings);
    this.#held = withRoom(this.#held, strings);
  }

  *reserve(strings: number): Steps<void> {
    this.#documents = yield* roomSteps(this.#documents, strings);
    this.#held = yield* roomSteps(this.#held, strings);
  }

  count(word: number, change: number): void {
    this.#documents[word] = this.of(word) + change;
  }

  countHeld(term: number, change: number): void {
    this.#held[term] = this.heldOf(term) + change;
  }

  of(word: number): number {
    return this.#documents[word] ?? 0;
  }

  heldOf(term: number): number {
    return this.#held[term] ?? 0;
  }

  copy(): OtherCounts {
    const copy = new OtherCounts();
    copy.#documents = this.#documents.slice();
    copy.#held = this.#held.slice();
    return copy;
  }

  encode(writer: SectionWriter, strings: number): void {
    writer.array(this.#documents.subarray(0, strings));
    writer.array(this.#held.subarray(0, strings));
  }

  static *decode(reader: SectionReader): Steps<OtherCounts> {
    const counts = new OtherCounts();
    counts.#documents = yield* reader.uint32();
    counts.#held = yield* reader.uint32();
    return counts;
  }
}
