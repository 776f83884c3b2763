import { isProse } from '#server/indexes/passages/embedding-text.ts';
import { splitSentences } from '#server/indexes/passages/split-sentences.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import { wordsOf } from './words.ts';

/** A part of a field's text, in UTF-16 offsets. Elements of a list are named by their place: `tags.0`. */
interface FieldSpan {
  field: string;
  start: number;
  end: number;
}

/** Something that an answer can quote: a sentence of a text, or the values of a short field behind its name. */
export interface Passage {
  kind: 'sentence' | 'value';
  /** Path of the field, of a list without places. */
  field: string;
  /** What is said: of a sentence exactly what stands there. */
  text: string;
  /** One of a sentence, one a value. */
  spans: FieldSpan[];
}

interface FieldText {
  field: string;
  /** The list that it is an element of, or itself. */
  list: string;
  text: string;
}

const titleNames = ['title', 'name'];
const titleCharactersMax = 200;
const fieldsMax = 500;
/** Of a document, texts or not. */
const valuesSeenMax = 20_000;
const depthMax = 8;
const valueCharactersMax = 200;
/** Of a field's path, which each of its passages has: a long one may lead to hundreds of short values. */
const pathCharactersMax = 512;
const sentenceWordsMin = 4;
/** Of one list. */
const valuesMax = 12;

/** What people know a document by. */
export function titleOf(document: StoredDocument): string {
  const field = titleFieldOf(document);
  return field === null ? document.id : shortened(String(document[field]), titleCharactersMax);
}

function titleFieldOf(document: StoredDocument): string | null {
  const isTitle = (name: string) => {
    const value = document[name];
    return typeof value === 'string' && value.trim() !== '';
  };
  return titleNames.find(isTitle) ?? null;
}

export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cut = text.lastIndexOf(' ', charactersMax - 1);
  return `${text.slice(0, cut > charactersMax / 2 ? cut : charactersMax - 1).toWellFormed()}…`;
}

interface Wanted {
  /** That are looked for in long texts. */
  words: ReadonlySet<string>;
  /** Sentences; of more than half of them each holds one of the words. */
  sentencesMax: number;
}

/**
 * What of a document can be quoted, in its own order: the sentences of its texts, of long ones those of the parts that hold most of the
 * words, and the values of its short fields. `turn` is waited for between parts.
 */
export async function passagesOf(
  document: StoredDocument,
  { words, sentencesMax }: Wanted,
  turn: () => Promise<void>,
): Promise<Passage[]> {
  const passages: Passage[] = [];
  const values = new Map<string, FieldText[]>();
  const titleField = titleFieldOf(document);
  const hasRoomFor = ({ text }: Passage) =>
    passages.length < sentencesMax / 2 || (passages.length < sentencesMax && holdsOneOf(words, text));
  let read = 0;
  for (const each of fieldTexts(document)) {
    if (each.field === titleField) continue;
    read += Math.min(each.text.length, wholeCharactersMax);
    if (read >= readAtOnce) {
      read = 0;
      await turn();
    }
    if (isSentence(each.text)) {
      for (const part of await partsOf(each.text, words, turn))
        for (const sentence of sentencesOf(each, part)) if (hasRoomFor(sentence)) passages.push(sentence);
    } else if (each.text.length <= valueCharactersMax) {
      values.set(each.list, [...(values.get(each.list) ?? []), each]);
    }
  }
  return [...passages, ...[...values].map(([field, all]) => valuePassage(field, all.slice(0, valuesMax)))];
}

export function holdsOneOf(words: ReadonlySet<string>, text: string): boolean {
  const lower = text.toLowerCase();
  for (const word of words) if (lower.includes(word)) return true;
  return false;
}

function sentencesOf({ field, list, text }: FieldText, part: Part): Passage[] {
  return splitSentences(text.slice(part.start, part.end)).map((span): Passage => {
    const [start, end] = [part.start + span.start, part.start + span.end];
    return { kind: 'sentence', field: list, text: text.slice(start, end), spans: [{ field, start, end }] };
  });
}

function valuePassage(field: string, values: FieldText[]): Passage {
  const label = field.replaceAll(/[._-]+/g, ' ');
  const texts = values.map(({ text }) => text);
  return {
    kind: 'value',
    field,
    text: `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${texts.join(', ')}`,
    spans: values.map(({ field: own, text }) => ({ field: own, start: 0, end: text.length })),
  };
}

/** Strings and numbers. */
function fieldTexts(document: StoredDocument): FieldText[] {
  const found: FieldText[] = [];
  let seen = 0;
  const isFull = () => found.length >= fieldsMax || seen >= valuesSeenMax;
  const visit = (value: JsonValue, at: { field: string; list: string }, depth: number): void => {
    seen += 1;
    if (at.field.length > pathCharactersMax) return;
    if (typeof value === 'number') found.push({ ...at, text: String(value) });
    else if (typeof value === 'string') {
      if (value.trim() !== '') found.push({ ...at, text: value });
    } else if (typeof value === 'object' && value !== null && depth < depthMax) {
      const isList = Array.isArray(value);
      // Without a list of its items: there may be a great many.
      for (const name of isList ? value.keys() : Object.keys(value)) {
        if (isFull()) return;
        const item = isList ? value[Number(name)] : value[name];
        const list = isList ? at.list : `${at.list}.${name}`;
        visit(item ?? null, { field: `${at.field}.${name}`, list }, depth + 1);
      }
    }
  };
  for (const [name, value] of Object.entries(document)) {
    if (isFull()) break;
    if (name !== 'id' && name !== 'embedding') visit(value, { field: name, list: name }, 0);
  }
  return found;
}

/** Whether a text is said in sentences, or long; else it is a value, as a name or a mood. */
export function isSentence(text: string): boolean {
  if (!isProse(text)) return false;
  if (text.length > valueCharactersMax) return true;
  return wordsOf(text).length >= sentenceWordsMin;
}

const wholeCharactersMax = 8_192;
/** Characters that are read without a pause. */
const readAtOnce = 16_384;
const partCharacters = 2_048;
/** How far before its length a part may end, where a sentence does. */
const partSlack = 512;
const partsKept = 8;
/** Looked through without a pause. */
const partsAtOnce = 16;

interface Part {
  start: number;
  end: number;
}

/** Of a long text its beginning, which says what it is about, and those parts that hold most of the words. */
async function partsOf(text: string, words: ReadonlySet<string>, turn: () => Promise<void>): Promise<Part[]> {
  if (text.length <= wholeCharactersMax) return [{ start: 0, end: text.length }];
  const parts: (Part & { held: number })[] = [];
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start);
    const lower = text.slice(start, end).toLowerCase();
    let held = 0;
    for (const word of words) if (lower.includes(word)) held += 1;
    parts.push({ start, end, held });
    start = end;
    if (parts.length % partsAtOnce === 0) await turn();
  }
  const [first, ...others] = parts;
  const best = others
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held || a.start - b.start)
    .slice(0, partsKept - 1);
  return first ? [first, ...best.sort((a, b) => a.start - b.start)] : [];
}

function partEnd(text: string, start: number): number {
  const most = start + partCharacters;
  if (most >= text.length) return text.length;
  const tail = text.slice(most - partSlack, most);
  const sentence = Math.max(tail.lastIndexOf('. '), tail.lastIndexOf('\n'), tail.lastIndexOf('。'));
  if (sentence >= 0) return most - partSlack + sentence + 1;
  const space = tail.lastIndexOf(' ');
  if (space >= 0) return most - partSlack + space + 1;
  // Not between the two halves of a character.
  return /^[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}
