import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import { type Passage, passagesOf, shortened, titleOf } from './passages.ts';

const noTurn = async () => {};
const wanted = (...words: string[]) => ({ words: new Set(words), sentencesMax: 10_000 });

/** What a span points at. */
function textAt(document: StoredDocument, field: string): string {
  const value = field
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return String(value);
}

function expectExact(document: StoredDocument, passages: Passage[]): void {
  for (const { kind, text, spans } of passages) {
    const quoted = spans.map(({ field, start, end }) => textAt(document, field).slice(start, end));
    if (kind === 'sentence') expect(quoted).toEqual([text]);
    else expect(text.endsWith(`: ${quoted.join(', ')}`)).toBe(true);
  }
}

test('every span of every passage is what stands there', async () => {
  const words = fc.array(fc.constantFrom('One', 'two.', 'Three!', 'ünï', '😀', '4', 'Mr.'), {
    maxLength: 40,
  });
  const text = fc.oneof(
    words.map((all) => all.join(' ')),
    fc.string({ maxLength: 300 }),
  );
  const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    ),
  })).value;
  const fields = fc.dictionary(fc.constantFrom('title', 'text', 'tags', 'price', 'notes'), value);
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const document: StoredDocument = { ...given, id: 'x' };
      expectExact(document, await passagesOf(document, wanted('three'), noTurn));
    }),
  );
});

test('what a path of hundreds of characters leads to is no passage', async () => {
  let deep: JsonValue = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`n${i}`, i]));
  for (let depth = 0; depth < 7; depth += 1) deep = { ['x'.repeat(1_000)]: deep };
  const passages = await passagesOf({ id: 'x', deep, year: 1972 }, wanted('year'), noTurn);
  expect(passages.map(({ text }) => text)).toEqual(['Year: 1972']);
});

test('of a long text its beginning and what holds the words', async () => {
  const filler = 'Nothing is said here that anybody asks for. '.repeat(1_000);
  const text = `The beginning is kept. ${filler}The lighthouse stands on Ushant. ${filler}`;
  const document = { id: 'x', text };
  const passages = await passagesOf(document, wanted('lighthous', 'ushant'), noTurn);
  expectExact(document, passages);
  const texts = passages.map((passage) => passage.text);
  expect(texts).toContain('The beginning is kept.');
  expect(texts).toContain('The lighthouse stands on Ushant.');
  expect(texts.join('').length).toBeLessThan(10_000);
});

test('of very many sentences those that hold one of the words are kept first, and no more than may be read', async () => {
  const text = 'Aa. Bb. '.repeat(1_000);
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`part${i}`, text]));
  const document = { id: 'x', ...fields, last: 'There is a lighthouse on Ushant. '.repeat(10) };
  const asked = { words: new Set(['lighthous']), sentencesMax: 100 };
  const texts = (await passagesOf(document, asked, noTurn)).map((passage) => passage.text);
  expect(texts.filter((each) => each.length < 10)).toHaveLength(50);
  expect(texts.filter((each) => each.includes('lighthouse'))).toHaveLength(10);
  asked.sentencesMax = 10;
  expect(await passagesOf(document, asked, noTurn)).toHaveLength(10);
});

test('of very many values no more than some are looked at', async () => {
  const read: number[] = [];
  const list = new Proxy(new Array<null>(150_000).fill(null), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read.push(Number(name));
      return Reflect.get(target, name);
    },
  });
  await passagesOf({ id: 'x', list }, wanted(), noTurn);
  expect(read.length).toBeLessThan(50_000);
});

test('others have their turn while a long text is looked through', async () => {
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  await passagesOf({ id: 'x', text: 'word '.repeat(800_000) }, wanted('word'), turn);
  expect(turns).toBeGreaterThan(100);
});

test('a list of short values is one passage, and the title none', async () => {
  const document = { id: 'x', title: 'Solaris', cast: ['Ann Lee', 'Bo Ray'], release_year: 1972 };
  const passages = await passagesOf(document, wanted(), noTurn);
  expect(passages.map(({ text, spans }) => [text, spans.map(({ field }) => field)])).toEqual([
    ['Cast: Ann Lee, Bo Ray', ['cast.0', 'cast.1']],
    ['Release year: 1972', ['release_year']],
  ]);
});

test('a document is known by its title, its name or its id', () => {
  expect(titleOf({ id: 'x', title: ' ', name: 'Named' })).toBe('Named');
  expect(titleOf({ id: 'x', title: 7 })).toBe('x');
  expect(shortened('one two three', 9)).toBe('one two…');
  expect(shortened('short', 9)).toBe('short');
});
