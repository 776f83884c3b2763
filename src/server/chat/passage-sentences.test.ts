import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textsByField } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import { embeddableOf } from '#server/indexes/passages/embeddable.ts';
import { embeddedCharactersMax } from '#server/indexes/passages/embedding-text.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import { findText, passageSentences } from './passage-sentences.ts';

const text = 'One here. Two there. Three is said. Two there. Five ends it.';
const document: StoredDocument = { id: 'x', text };
const between = (start: number, end: number) =>
  passageSentences(document, { field: 'text', start, end }).map((sentence) => sentence.text);

describe('the sentences of a passage', () => {
  it('are those within it, each with its place', () => {
    expect(passageSentences(document, { field: 'text', start: 21, end: 46 })).toEqual([
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
    expect(passageSentences(document, passage)).toEqual([]);
  });

  it('are not looked for where no passage lies, nor in more than one has', () => {
    const long = { id: 'x', text: 'A sentence. '.repeat(10_000) };
    const end = embeddedCharactersMax;
    expect(passageSentences(long, { field: 'text', start: end - 24, end })).not.toEqual([]);
    expect(passageSentences(long, { field: 'text', start: end - 24, end: end + 1 })).toEqual([]);
    expect(passageSentences(long, { field: 'text', start: 0, end: 4_000 })).not.toEqual([]);
    expect(passageSentences(long, { field: 'text', start: 0, end: 4_001 })).toEqual([]);
  });

  it('are all of every passage that a document is cut into', () => {
    const collection = {
      id: 1,
      for: { tenant: 't', caller: 'c' },
      dimension: 3,
      metric: 'cosine',
      metadata: { embed: { passage_characters: 600 } },
      rulesVersion: 0,
    } as const;
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
    const long = fc.array(word, { minLength: 100, maxLength: 300 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(long, (own) => {
        const whole = { id: 'x', about: { text: own } };
        const { spans = [], passages = [] } = runSteps(embeddableOf(collection, whole)) ?? {};
        fc.pre(passages.length > 1);
        for (const [i, { text: embedded }] of passages.entries()) {
          const [start = 0, end = 0] = [spans[3 * i + 1], spans[3 * i + 2]];
          const sentences = passageSentences(whole, { field: 'about.text', start, end });
          expect(own.slice(start, end)).toBe(embedded);
          expect(sentences[0]?.start).toBe(start);
          expect(sentences.at(-1)?.end).toBe(end);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the text that a path leads to', () => {
  it.each<[string, JsonValue, string]>([
    ['field', 'a text', 'field'],
    ['field.inner', { inner: 'a text', other: 'b' }, 'field.inner'],
    ['field', ['a text'], 'field.0'],
    ['field', [7, ['a text']], 'field.1.0'],
    ['field.inner', [{ other: 'b' }, { inner: 'a text' }], 'field.1.inner'],
    ['field.a.b', { 'a.b': 'a text' }, 'field.a.b'],
    ['field..b', { '': { b: 'a text' } }, 'field..b'],
  ])('%s of %j', (path, value, field) => {
    expect(findText({ id: 'x', field: value }, path)).toEqual({ field, text: 'a text' });
  });

  it('is none where there are several, or too many to look through', () => {
    expect(findText({ id: 'x', field: ['a', 'b'] }, 'field')).toBeNull();
    expect(findText({ id: 'x', field: ['a', ...Array<number>(20_000).fill(0)] }, 'field')).toBeNull();
    expect(findText({ id: 'x', field: 'a', other: Array<number>(20_000).fill(0) }, 'field')).not.toBeNull();
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
          expect(findText(own, path)?.text ?? null).toBe(texts.length === 1 ? texts[0] : null);
      }),
    );
  });
});
