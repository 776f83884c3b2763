/**
 * The forms that postings have: in which fields a document holds a term, and how often in each. Most postings share a few (once in the text,
 * twice in the text, once in the title), so a posting is an ordinal and the small number of its form. A form is a list of fields with
 * frequencies, ascending by field; each is kept once and found by its hash. Costs its fields, however many postings have it. Beside each frequency
 * stands which words of the term the field holds (`word-marks.ts`).
 */
import { HashSlots } from '../memory/hash-slots.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { roomSteps, withRoom } from '../memory/with-room.ts';
import { type Steps, stepUnits } from '../steps.ts';
import { marksBits, marksCount, withMark } from './word-marks.ts';

/** A frequency counts no more. */
const frequencyMax = 255;

const marksShift = 8;
const fieldShift = marksShift + marksBits;
const marksMask = marksCount - 1;
/** Snapshots have marks by themselves. */
const storedFieldShift = 8;

/** A field, which words of the term it holds (0: unknown) and how often. */
export const makePart = (field: number, frequency: number, marks = 0): number =>
  ((field << fieldShift) | (marks << marksShift) | Math.min(frequency, frequencyMax)) >>> 0;
export const fieldOf = (part: number): number => part >>> fieldShift;
export const frequencyOf = (part: number): number => part & frequencyMax;
const marksOf = (part: number): number => (part >>> marksShift) & marksMask;
/** The same field with one more word, which is marked so. */
export const withOneMore = (part: number, mark: number): number =>
  makePart(fieldOf(part), frequencyOf(part) + 1, withMark(marksOf(part), mark));

export class PostingForms {
  /** By form: where its parts end. */
  #ends = new Uint32Array(16);
  #parts = new Uint32Array(16);
  /** By form: the sum of its frequencies. */
  #totals = new Uint32Array(16);
  readonly #slots = new HashSlots();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    const arrays = [this.#ends, this.#parts, this.#totals];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#slots.memoryBytes);
  }

  /** Whether so many new forms with so many parts fit without growing. */
  hasRoom(forms: number, parts: number): boolean {
    return (
      this.#count + forms <= this.#totals.length &&
      this.start(this.#count) + parts <= this.#parts.length &&
      this.#slots.hasRoom(this.#count + forms, forms)
    );
  }

  *reserve(forms: number, parts: number): Steps<void> {
    this.#ends = yield* roomSteps(this.#ends, this.#count + forms);
    this.#totals = yield* roomSteps(this.#totals, this.#count + forms);
    this.#parts = yield* roomSteps(this.#parts, this.start(this.#count) + parts);
    yield* this.#slots.reserve(this.#count + forms, forms);
  }

  /** The number of the form with the first `count` parts, given on first sight. */
  numberOf(parts: Uint32Array, count: number): number {
    const slots = this.#slots;
    const hash = hashOf(parts, count);
    let slot = slots.first(hash);
    for (; ; slot = slots.next(slot)) {
      const form = slots.elementAt(slot);
      if (form < 0) break;
      if (slots.hashOf(form) === hash && this.#is(form, parts, count)) return form;
    }
    const form = this.#push(parts, count);
    slots.put(slot, form, hash);
    return form;
  }

  /** Where the parts of a form begin. */
  start(form: number): number {
    return form === 0 ? 0 : (this.#ends[form - 1] ?? 0);
  }

  end(form: number): number {
    return this.#ends[form] ?? 0;
  }

  partAt(place: number): number {
    return this.#parts[place] ?? 0;
  }

  total(form: number): number {
    return this.#totals[form] ?? 0;
  }

  /** Each field's frequency times its weight; `weights` null: every field at 1. */
  frequency(form: number, weights: Float64Array | null): number {
    if (weights === null) return this.#totals[form] ?? 0;
    let sum = 0;
    for (let place = this.start(form); place < this.end(form); place += 1) {
      const part = this.#parts[place] ?? 0;
      sum += (weights[part >>> fieldShift] ?? 0) * (part & frequencyMax);
    }
    return sum;
  }

  /** 0: the form does not have the field. */
  frequencyIn(form: number, field: number): number {
    for (let place = this.start(form); place < this.end(form); place += 1) {
      const part = this.#parts[place] ?? 0;
      if (part >>> fieldShift === field) return part & frequencyMax;
    }
    return 0;
  }

  /** Marks of the term's words that the form has in a field, 0: unknown; −1: the form does not have the field. */
  marksIn(form: number, field: number): number {
    for (let place = this.start(form); place < this.end(form); place += 1) {
      const part = this.#parts[place] ?? 0;
      if (part >>> fieldShift === field) return marksOf(part);
    }
    return -1;
  }

  /** The marks come last: snapshots of before end without them. */
  encode(writer: SectionWriter): void {
    const parts = this.#parts.subarray(0, this.start(this.#count));
    writer.array(this.#ends.subarray(0, this.#count));
    writer.array(parts.map((part) => (fieldOf(part) << storedFieldShift) | frequencyOf(part)));
    writer.array(this.#totals.subarray(0, this.#count));
    writer.array(Uint16Array.from(parts, marksOf));
  }

  static *decode(reader: SectionReader): Steps<PostingForms> {
    const forms = new PostingForms();
    forms.#ends = yield* reader.uint32();
    const stored = yield* reader.uint32();
    forms.#totals = yield* reader.uint32();
    const marks = reader.isAtEnd ? null : yield* reader.uint16();
    forms.#parts = stored.map((part, i) =>
      makePart(part >>> storedFieldShift, frequencyOf(part), marks?.[i] ?? 0),
    );
    forms.#count = forms.#ends.length;
    yield* forms.#slots.reserve(forms.#count, forms.#count);
    let units = 0;
    for (let form = 0; form < forms.#count; form += 1) {
      const parts = forms.#parts.subarray(forms.start(form), forms.end(form));
      forms.#slots.add(form, hashOf(parts, parts.length));
      units += 1 + parts.length;
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
    return forms;
  }

  #is(form: number, parts: Uint32Array, count: number): boolean {
    const start = this.start(form);
    if (this.end(form) - start !== count) return false;
    for (let i = 0; i < count; i += 1) if (this.#parts[start + i] !== parts[i]) return false;
    return true;
  }

  #push(parts: Uint32Array, count: number): number {
    const form = this.#count;
    const start = this.start(form);
    this.#ends = withRoom(this.#ends, form + 1);
    this.#totals = withRoom(this.#totals, form + 1);
    this.#parts = withRoom(this.#parts, start + count);
    let total = 0;
    for (let i = 0; i < count; i += 1) {
      const part = parts[i] ?? 0;
      this.#parts[start + i] = part;
      total += part & frequencyMax;
    }
    this.#ends[form] = start + count;
    this.#totals[form] = total;
    this.#count += 1;
    return form;
  }
}

function hashOf(parts: Uint32Array, count: number): number {
  let hash = count;
  for (let i = 0; i < count; i += 1) {
    hash = Math.imul(hash ^ (parts[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
