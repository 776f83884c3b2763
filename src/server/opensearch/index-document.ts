import {
  type Analyzer,
  fold,
  parseDate,
  parseJson,
  type TypedValues,
  textParts,
  textsByField,
  typedValues,
} from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { FieldType, IndexedDocument } from '#server/engine/types.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { briefly } from './brief-numbers.ts';
import { fieldName, pointOf } from './field-names.ts';
import type { FixedConstants } from './fixed-constants.ts';
import { groupKey } from './group-values.ts';
import type { KnownFields } from './known-fields.ts';
import { textsMax, wholeDocument, wholeUnitsMax } from './mapping.ts';
import { sortValues } from './sort-values.ts';

export interface DocumentParts {
  collection: Pick<CollectionHandle, 'dimension' | 'metric'>;
  analyzer: Analyzer;
  declared: { name: string; type: FieldType }[];
  known: KnownFields;
  hasContent: boolean;
  constants: Pick<FixedConstants, 'titleWeight'>;
}

/** Fields in which a word counts more, as in the embedded engine. */
const titleFields = ['title', 'name'];

type Slot = Record<string, unknown>;

/** A document as a cluster takes it: nothing of it can be read back, all of it can be searched. */
export function* indexDocument(
  { id, source, vectors }: Pick<IndexedDocument, 'id' | 'source' | 'vectors'>,
  { collection, analyzer, declared, known, hasContent, constants: { titleWeight } }: DocumentParts,
): Steps<Record<string, unknown>> {
  const document = (yield* parseJson(source)) as Record<string, unknown>;
  const fields = (yield* typedValues(document, declared)).filter(({ path }) => known.take(path));
  const slots: Record<string, Slot> = {};
  const put = (slot: string, path: string, values: unknown[]) => {
    if (values.length === 0) return;
    slots[slot] ??= {};
    slots[slot][fieldName(path)] = values;
  };
  for (const field of fields) putValues(field, put);
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const words = new Set<string>();
  const allTerms: string[] = [];
  const allContent: string[] = [];
  for (const [path, texts] of yield* textsByField(document, null)) {
    const field = byPath.get(path);
    const read = yield* readTexts(texts, analyzer, field);
    for (const word of read.distinct) words.add(word);
    for (let times = titleFields.includes(path) ? titleWeight : 1; times > 0; times -= 1) {
      allTerms.push(...read.terms);
      if (read.content !== '') allContent.push(read.content);
    }
    if (field === undefined) continue;
    put('w', path, read.words);
    put('y', path, read.dateWords);
    put('t', path, read.terms);
    put('c', path, read.content === '' || !hasContent ? [] : [read.content]);
    const long = texts.filter((text) => text.length > shortCharactersMax);
    put('v', path, [...new Set(long.map((text) => fold(text).slice(0, wholeUnitsMax)))]);
    yield;
  }
  return {
    id,
    is: wholeDocument,
    has: [...new Set(fields.flatMap(({ path }) => pathsOf(path)))],
    kinds: fields.flatMap(({ path, types }) => [`f${path}`, ...types.map((type) => `${type[0]}${path}`)]),
    many: fields.filter(({ strings }) => strings.length > 1).map(({ path }) => path),
    words: [...words].join(' '),
    terms: allTerms,
    ...(hasContent && { content: allContent }),
    passages: yield* passagesOf(vectors, collection),
    ...slots,
  };
}

/** Longer ones are known by their beginning. */
const shortCharactersMax = 256;

function putValues(field: TypedValues, put: (slot: string, path: string, values: unknown[]) => void): void {
  const { path, strings, numbers, dates, booleans, points } = field;
  put('s', path, labelsOf(field));
  const key = groupKey(field);
  put('k', path, key === null ? [] : [key]);
  put('z', path, sortValues(field));
  put('n', path, numbers);
  put('d', path, dates);
  put('b', path, booleans);
  put('g', path, points.map(pointOf));
  put('o', path, [...new Set(strings.map(({ folded, isLong }) => (isLong ? folded + longMark : folded)))]);
}

/** Behind the beginning of a long text, so that no short text equals it. */
const longMark = '\u{10fffd}';

/** What facets count: each value once by its text. A date that was written as a text is counted as that. */
function labelsOf({ strings, numbers, dates, booleans, isDeclaredDate }: TypedValues): string[] {
  const labels = new Set([
    ...strings.map(({ label }) => label),
    ...numbers.map(String),
    ...booleans.map(String),
  ]);
  const written = new Set(strings.map(({ label }) => parseDate(label)));
  if (isDeclaredDate) for (const seconds of dates) if (!written.has(seconds)) labels.add(String(seconds));
  return [...labels];
}

/** A path, and those of the objects it lies in. */
function pathsOf(path: string): string[] {
  const paths = [path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
    paths.push(path.slice(0, dot));
  return paths;
}

interface ReadTexts {
  /** A text each. */
  words: string[];
  dateWords: string[];
  /** A text each, those that stand beside the words apart, so that phrases do not run over them. */
  terms: string[];
  /** Terms of words that are no stop words, in no order. */
  content: string;
  distinct: Set<string>;
}

function* readTexts(texts: string[], analyzer: Analyzer, field: TypedValues | undefined): Steps<ReadTexts> {
  const read: ReadTexts = { words: [], dateWords: [], terms: [], content: '', distinct: new Set() };
  const content: string[] = [];
  const mayBeDates = field !== undefined && field.dates.length > 0;
  for (const text of texts) {
    const words: string[] = [];
    const others: string[] = [];
    for (const part of textParts(text, analyzer.words)) {
      words.push(...part.words);
      others.push(...part.others.map(({ word }) => word));
      yield;
    }
    for (const word of [...words, ...others]) read.distinct.add(word);
    const into = mayBeDates && parseDate(text) !== null ? read.dateWords : read.words;
    add(into, words);
    const terms = words.map((word) => analyzer.stem(word));
    const otherTerms = others.map((other) => analyzer.stem(other));
    add(read.terms, terms);
    for (const other of otherTerms) add(read.terms, [other]);
    terms.forEach((term, i) => {
      if (!analyzer.stopWords.has(words[i] ?? '')) content.push(term);
    });
    for (const other of otherTerms) content.push(other);
  }
  read.content = content.join(' ');
  return read;
}

function add(texts: string[], words: string[]): void {
  if (words.length === 0) return;
  if (texts.length < textsMax) texts.push(words.join(' '));
  else texts[textsMax - 1] += ` ${words.join(' ')}`;
}

/** A vector of zeros is like nothing, and refused where angles are compared. */
function* passagesOf(
  vectors: Float32Array,
  { dimension, metric }: DocumentParts['collection'],
): Steps<object[]> {
  const passages: object[] = [];
  for (let from = 0; from < vectors.length; from += dimension) {
    const row = vectors.subarray(from, from + dimension);
    if (metric !== 'cosine' || row.some((component) => component !== 0)) passages.push({ v: briefly(row) });
    yield;
  }
  return passages;
}
