/**
 * The keyword side of an index: which words stand how often in which field of which document. Figures that scores are made of (documents
 * with a word, lengths) always describe the living documents only, so that an index answers the same however its documents came about.
 * Adding and forgetting a document cost its words.
 */
import type { FieldText } from '../documents/text-fields.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import type { Steps } from '../steps.ts';
import { tokenize } from '../text/analyzer.ts';
import { stopWords } from '../text/stop-words.ts';
import { FieldLengths, fieldsMax } from './field-lengths.ts';
import { makePosting, Postings } from './postings.ts';
import { TermDictionary } from './term-dictionary.ts';

/** What a document holds, by field: words that count for its length, and frequency by term. */
interface FieldWords {
  length: number;
  frequencies: Map<number, number>;
}

export class LexicalIndex {
  #dictionary = new TermDictionary();
  #postings = new Postings();
  #lengths = new FieldLengths();
  #fields: string[] = [];
  #fieldNumbers = new Map<string, number>();

  get dictionary(): TermDictionary {
    return this.#dictionary;
  }

  get postings(): Postings {
    return this.#postings;
  }

  get lengths(): FieldLengths {
    return this.#lengths;
  }

  get memoryBytes(): number {
    return this.#dictionary.memoryBytes + this.#postings.memoryBytes + this.#lengths.memoryBytes;
  }

  /** Ordinals come one after the other, from 0. */
  add(ordinal: number, texts: FieldText[]): void {
    const { fields, words } = this.#analyse(texts);
    for (const word of words) this.#dictionary.countDocument(word, 1);
    for (const [field, { frequencies }] of fields) {
      for (const [term, frequency] of frequencies)
        this.#postings.add(term, field, makePosting(ordinal, frequency));
    }
    this.#lengths.push(Array.from(fields, ([field, { length }]) => [field, length]));
    this.#dictionary.settle();
  }

  /** `texts` must be those it was added with. */
  forget(ordinal: number, texts: FieldText[]): void {
    const { fields, words } = this.#analyse(texts);
    for (const word of words) this.#dictionary.countDocument(word, -1);
    for (const [field, { frequencies }] of fields) {
      for (const term of frequencies.keys()) this.#postings.forget(term, field);
    }
    this.#lengths.forget(ordinal);
  }

  /** The number that a field's postings bear; −1: no document ever had it. Fields beyond the limit share the last one. */
  fieldNumber(name: string): number {
    const known = this.#fieldNumbers.get(name);
    if (known !== undefined) return known;
    return this.#fields.length < fieldsMax ? -1 : fieldsMax - 1;
  }

  /** The field that alone bears a number; null: several share it. */
  fieldNamed(number: number): string | null {
    const isShared = number === fieldsMax - 1;
    return isShared ? null : (this.#fields[number] ?? null);
  }

  /**
   * Weights by field number for fields by name; unknown ones have no words. To the nearest 1/65,536: sums over fields are exact then, and do not
   * depend on the order in which the index met the fields.
   */
  weightsOf(fields: { name: string; weight: number }[]): Float64Array {
    const weights = new Float64Array(this.#fields.length);
    for (const { name, weight } of fields) {
      const field = this.#fieldNumbers.get(name);
      if (field !== undefined) weights[field] = inSteps(weight);
    }
    return weights;
  }

  /** Without dead postings and the words only they had. */
  *compacted(ordinals: Int32Array): Steps<LexicalIndex> {
    const index = new LexicalIndex();
    const { dictionary, renumbered } = this.#dictionary.compacted(
      (id) => this.#dictionary.documentsOf(id) > 0 || this.#postings.isLive(id),
    );
    yield;
    index.#dictionary = dictionary;
    index.#postings = yield* this.#postings.compacted(renumbered, ordinals);
    index.#lengths = this.#lengths.compacted(ordinals);
    for (const name of this.#fields) index.#numberFor(name);
    return index;
  }

  encode(writer: SectionWriter): void {
    writer.text(JSON.stringify(this.#fields));
    this.#dictionary.encode(writer);
    this.#postings.encode(writer);
    this.#lengths.encode(writer);
  }

  static decode(reader: SectionReader): LexicalIndex {
    const index = new LexicalIndex();
    for (const name of JSON.parse(reader.text()) as string[]) index.#numberFor(name);
    index.#dictionary = TermDictionary.decode(reader);
    index.#postings = Postings.decode(reader);
    index.#lengths = FieldLengths.decode(reader);
    return index;
  }

  #analyse(texts: FieldText[]): { fields: Map<number, FieldWords>; words: Set<number> } {
    const fields = new Map<number, FieldWords>();
    const words = new Set<number>();
    for (const { path, text } of texts) {
      const field = this.#numberFor(path);
      const held = fields.get(field) ?? { length: 0, frequencies: new Map() };
      fields.set(field, held);
      for (const { token } of tokenize(text)) {
        const word = this.#dictionary.addWord(token);
        const term = this.#dictionary.termOf(word);
        words.add(word);
        held.frequencies.set(term, (held.frequencies.get(term) ?? 0) + 1);
        if (!stopWords.has(token)) held.length += 1;
      }
    }
    return { fields, words };
  }

  /** The last number is shared by all fields beyond the limit: they are searched with the others, but not by name. */
  #numberFor(name: string): number {
    const known = this.#fieldNumbers.get(name);
    if (known !== undefined) return known;
    const number = Math.min(this.#fields.length, fieldsMax - 1);
    if (this.#fields.length < fieldsMax) {
      this.#fields.push(name);
      this.#fieldNumbers.set(name, number);
    }
    return number;
  }
}

const WEIGHT_STEPS = 65_536;
/** Sums of such weights times frequencies and lengths are exact, and far from what a number can hold. */
const weightMax = 65_536;

/** A field that counts at all counts at least one step. */
function inSteps(weight: number): number {
  if (!(weight > 0)) return 0;
  return Math.max(1, Math.round(Math.min(weight, weightMax) * WEIGHT_STEPS)) / WEIGHT_STEPS;
}
