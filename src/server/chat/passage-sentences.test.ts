import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFieldNames, textsByField } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import { embeddableOf } from '#server/indexes/passages/embeddable.ts';
import { embeddedCharactersMax } from '#server/indexes/passages/embedding-text.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import type { FoundPassage } from '#shared/nearest-sentences.ts';
import { findText, passageSentences } from './passage-sentences.ts';

const text = 'One here. Two there. Three is said. Two there. Five ends it.';
const document: StoredDocument = { id: 'x', text };
const collectionOf = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 3,
  metric: 'cosine',
  rulesVersion: 0,
} as const;

/** In a collection that cuts texts as usual: these are one passage. */
const sentencesOf = (of: StoredDocument, passage: FoundPassage) =>
  runSteps(passageSentences({ metadata: null }, of, passage));
const between = (start: number, end: number) =>
  sentencesOf(document, { field: 'text', start, end }).map((sentence) => sentence.text);
const withoutSpace = (of: string) => of.replaceAll(/\s/g, '');

describe('the sentences of a passage', () => {
  it('are those within it, each with its place', () => {
    expect(sentencesOf(document, { field: 'text', start: 21, end: 46 })).toEqual([
      { field: 'text', start: 21, end: 35, text: 'Three is said.' },
      { field: 'text', start: 36, end: 46, text: 'Two there.' },
    ]);
  });

  it('have one that a border cuts, as a whole, where half of it lies within', () => {
    expect(between(15, 28)).toEqual(['Two there.', 'Three is said.']);
    expect(between(10, 27)).toEqual(['Two there.']);
    expect(between(16, 35)).toEqual(['Three is said.']);
  });

  it('have the one that the passage is a small part of', () => {
    expect(between(22, 25)).toEqual(['Three is said.']);
  });

  it.each([
    ['another field', { field: 'other', start: 0, end: 9 }],
    ['a text that is shorter', { field: 'text', start: 47, end: 61 }],
    ['nothing', { field: 'text', start: 9, end: 9 }],
    ['an end before its start', { field: 'text', start: 20, end: 10 }],
    ['a space', { field: 'text', start: 9, end: 10 }],
  ])('are none of %s', (_, passage) => {
    expect(sentencesOf(document, passage)).toEqual([]);
  });

  it('are not looked for where no passage lies, nor in more than one has', () => {
    const long = { id: 'x', text: 'A sentence. '.repeat(10_000) };
    const end = embeddedCharactersMax;
    expect(sentencesOf(long, { field: 'text', start: end - 24, end })).not.toEqual([]);
    expect(sentencesOf(long, { field: 'text', start: end - 24, end: end + 1 })).toEqual([]);
    expect(sentencesOf(long, { field: 'text', start: 0, end: 4_000 })).not.toEqual([]);
    expect(sentencesOf(long, { field: 'text', start: 0, end: 4_001 })).toEqual([]);
  });

  it('are all of every passage that a document is cut into, in all its fields', () => {
    const collection = { ...collectionOf, metadata: { embed: { passage_characters: 600 } } };
    const word = fc.constantFrom(
      'One',
      'two.',
      'Three!',
      'no',
      'Mr.',
      '4.',
      '映画。',
      'word '.repeat(70),
      '\n\n',
    );
    // Each long enough to be no value.
    const long = fc
      .array(word, { minLength: 5, maxLength: 100 })
      .map((words) => `It is said here at first. ${words.join(' ')}`);
    const list = fc.array(long, { maxLength: 4 });
    let passages = 0;
    let acrossFields = 0;
    fc.assert(
      fc.property(long, list, long, (own, reviews, more) => {
        const whole = {
          id: 'x',
          title: 'Left out. It is in no passage.',
          about: { text: own, 'a.b': more },
          years: { 2024: [{ no: 7 }, { reviews }] },
          last: [more],
        };
        const { spans = [], passages: cut = [] } = runSteps(embeddableOf(collection, whole)) ?? {};
        fc.pre(cut.length > 1);
        const names = runSteps(textFieldNames(whole));
        const toldOf = (i: number) => [spans[3 * i], spans[3 * i + 1], spans[3 * i + 2]];
        for (const [i, { text: embedded }] of cut.entries()) {
          const [place = -1, start = 0, end = 0] = toldOf(i);
          const field = names[place];
          const isTwice = cut.some((_, other) => other !== i && `${toldOf(other)}` === `${toldOf(i)}`);
          if (field === undefined || isTwice) continue;
          const sentences = runSteps(passageSentences(collection, whole, { field, start, end }));
          expect(withoutSpace(sentences.map((each) => each.text).join(''))).toBe(withoutSpace(embedded));
          for (const each of sentences)
            expect(textAt(whole, each.field)?.slice(each.start, each.end)).toBe(each.text);
          passages += 1;
          if (new Set(sentences.map((each) => each.field)).size > 1) acrossFields += 1;
        }
      }),
      { numRuns: 50 },
    );
    expect(acrossFields).toBeGreaterThan(20);
    expect(passages).toBeGreaterThan(acrossFields);
  });

  it('are of the chosen fields, in their order, also where one is named twice', () => {
    const sentence = (of: string) => `This is said of the ${of} at some length. `.repeat(12).trim();
    const own = { id: 'x', b: ['none', sentence('sun')], c: sentence('moon'), a: { b: sentence('stars') } };
    const metadata = { embed: { passage_characters: 800, fields: ['c', 'a', 'a.b', 'b'] } };
    const fieldsOf = (end: number) =>
      runSteps(passageSentences({ metadata }, own, { field: 'c', start: 0, end })).map((each) => each.field);
    expect(own.c).toHaveLength(491);
    expect([...new Set(fieldsOf(491))]).toEqual(['c', 'a.b']);
    // Not told so by any passage.
    expect([...new Set(fieldsOf(490))]).toEqual(['c']);
  });

  it('are no values beside sentences, as names and moods are', () => {
    const tags = ['Robot romance', 'Love'];
    const more = 'Nothing else is said here. '.repeat(100);
    const own = { id: 'x', text: 'It is said here once. '.repeat(50).trim(), tags, more };
    const found = sentencesOf(own, { field: 'text', start: 0, end: own.text.length });
    expect(new Set(found.map((each) => each.field))).toEqual(new Set(['text', 'more']));
  });

  it('are of both passages of which the same is told', () => {
    const short = 'In both there is more of this than of anything else.';
    // The two in a row have `both` in common, which is the longest of each.
    const few = (of: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`${of}${i}`, `This is ${of} number ${i} here.`]),
      );
    const own: StoredDocument = { id: 'x', ...few('a', 21), both: short, ...few('b', 40) };
    const metadata = { embed: { passage_characters: 600 } };
    const { spans = [], passages = [] } = runSteps(embeddableOf({ ...collectionOf, metadata }, own)) ?? {};
    const told = passages.filter((_, i) => spans[3 * i + 2] === short.length);
    expect(told).toHaveLength(2);
    const passage = { field: 'both', start: 0, end: short.length };
    const found = runSteps(passageSentences({ metadata }, own, passage)).map((each) => each.text);
    for (const { text: embedded } of told)
      expect(found).toEqual(expect.arrayContaining(embedded.split('\n')));
  });

  it('are found with pauses', () => {
    const own = { id: 'x', text: 'word '.repeat(13_000) };
    const steps = passageSentences({ metadata: null }, own, { field: 'text', start: 60_000, end: 60_009 });
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses += 1;
    expect(step.value).toHaveLength(1);
    // It is split twice: to be cut anew, and for its sentences.
    expect(pauses).toBeGreaterThanOrEqual(6);
  });
});

describe('the text that a path leads to', () => {
  const find = (of: StoredDocument, path: string) => runSteps(findText(of, path));

  it.each<[string, JsonValue, string]>([
    ['field', 'a text', 'field'],
    ['field.inner', { inner: 'a text', other: 'b' }, 'field.inner'],
    ['field', ['a text'], 'field.0'],
    ['field', [7, ['a text']], 'field.1.0'],
    ['field.inner', [{ other: 'b' }, { inner: 'a text' }], 'field.1.inner'],
    ['field.a.b', { 'a.b': 'a text' }, 'field.a.b'],
    ['field..b', { '': { b: 'a text' } }, 'field..b'],
  ])('%s of %j', (path, value, field) => {
    expect(find({ id: 'x', field: value }, path)).toEqual({ field, text: 'a text' });
  });

  it('is none where there are several', () => {
    expect(find({ id: 'x', field: ['a', 'b'] }, 'field')).toBeNull();
    expect(find({ id: 'x', field: { b: 'a' }, 'field.b': 'b' }, 'field.b')).toBeNull();
    expect(find({ id: 'x', field: ['a', ...Array<number>(20_000).fill(0)] }, 'field')).not.toBeNull();
  });

  it('is looked for with pauses', () => {
    const steps = findText({ id: 'x', list: Array<number>(20_000).fill(0), field: 'a' }, 'field');
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses += 1;
    expect(step.value?.text).toBe('a');
    expect(pauses).toBeGreaterThan(8);
  });

  it('is the one that the index knows by that path', () => {
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ maxLength: 3 }),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '', 'a.b', '0'), tie('value')),
      ),
    }));
    const fields = fc.dictionary(fc.constantFrom('a', 'b', 'a.b'), value);
    fc.assert(
      fc.property(fields, (given) => {
        const own: StoredDocument = { ...given, id: 'x' };
        for (const [path, texts] of runSteps(textsByField(own, null)))
          expect(find(own, path)?.text ?? null).toBe(texts.length === 1 ? texts[0] : null);
      }),
    );
  });
});

/** What stands at a sentence's field. */
function textAt(value: JsonValue | undefined, field: string): string | null {
  if (typeof value === 'string') return field === '' ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (field !== key && !field.startsWith(`${key}.`)) continue;
    const text = textAt(inner, field.slice(key.length + 1));
    if (text !== null) return text;
  }
  return null;
}
