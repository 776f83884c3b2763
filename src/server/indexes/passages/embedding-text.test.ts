import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { embeddingText as embeddingSteps, isProse } from './embedding-text.ts';

const collection: WritableCollection = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 3,
  metric: 'cosine',
  metadata: null,
  rulesVersion: 0,
};

const embeddingText = (of: WritableCollection, document: StoredDocument) =>
  runSteps(embeddingSteps(of, document));

describe('embeddingText', () => {
  it('takes the prose in order and the title apart', () => {
    const film = {
      id: 'Some words',
      year: 1979,
      title: 'Alien',
      text: 'A crew meets a monster.',
      cast: ['Sigourney Weaver', 'Tom Skerritt'],
      thumbnail: 'https://example.org/a.jpg',
      sku: 'AL-1979-X',
      about: { mood: 'dark', seen: '2024-02-01T10:00:00Z' },
    };
    expect(embeddingText(collection, film)).toEqual({
      title: 'Alien',
      text: 'A crew meets a monster.\nSigourney Weaver\nTom Skerritt\ndark',
      parts: [
        { path: 'text', start: 0, end: 23 },
        { path: 'cast', start: 24, end: 40 },
        { path: 'cast', start: 41, end: 53 },
        { path: 'about.mood', start: 54, end: 58 },
      ],
    });
  });

  it('takes the name where there is no title, and nothing where there is no text', () => {
    expect(embeddingText(collection, { id: 'a', name: 'Chair', title: ' ' })?.title).toBe('Chair');
    expect(embeddingText(collection, { id: 'a', n: 5, u: 'https://example.org' })).toBeNull();
  });

  it('takes the chosen fields only, in their order, whatever they hold', () => {
    const chosen = { ...collection, metadata: { embed: { fields: ['b.c', 'a'] } } };
    const document = { id: 'x', title: 'left out', a: 'SKU-1', b: { c: 'first', d: 'not this' } };
    expect(embeddingText(chosen, document)).toMatchObject({
      title: '',
      text: 'first\nSKU-1',
      parts: [{ path: 'b.c' }, { path: 'a' }],
    });
    const withTitle = { ...collection, metadata: { embed: { fields: ['title', 'a'] } } };
    expect(embeddingText(withTitle, document)).toMatchObject({ title: 'left out', text: 'SKU-1' });
  });

  it('bounds what is copied to the embedding thread', () => {
    const long = embeddingText(collection, {
      id: 'a',
      one: 'word '.repeat(50_000),
      two: 'word '.repeat(50_000),
    });
    expect(long?.text.length).toBeLessThanOrEqual(65_537);
  });
});

it('reads a large document with pauses, as it would a small one', () => {
  const lists = Array.from({ length: 100_000 }, () => []);
  const rows = Array.from({ length: 3_000 }, (_, i) => ({ said: [`words of ${i}`, i, `x${i}@y`] }));
  const steps = embeddingSteps(collection, { id: 'a', lists, deep: { rows }, last: 'the end' });
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(40);
  expect(step.value?.text).toBe([...rows.map(({ said }) => said[0]), 'the end'].join('\n'));
});

it('a word longer than what is embedded is judged by that part of it', () => {
  const code = 'x1'.repeat(100_000);
  expect(isProse(code)).toBe(false);
  expect(isProse(`${code} and words`)).toBe(false);
});

describe('isProse', () => {
  it.each([
    'Drama',
    'a small house',
    "rock'n'roll",
    'Blade Runner 2049',
    'Größe',
    '東京',
    'well-known',
    'Why?',
  ])('takes %s', (text) => expect(isProse(text)).toBe(true));

  it.each([
    '',
    ' ',
    'https://example.org/a b',
    'www.example.org',
    'someone@example.org',
    '/usr/lib/node',
    '2024-02-01',
    '2024-02-01T10:00:00Z',
    '3.14',
    '+49 30 123456',
    'SKU-1234',
    'a1b2c3d4',
    'user_name',
    '550e8400-e29b-41d4-a716-446655440000',
    '#ff00aa',
  ])('leaves out %s', (text) => expect(isProse(text)).toBe(false));

  it('knows addresses as the plain pattern for them does', () => {
    const address =
      /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:|[^\s@]+@[^\s@]+\.[^\s@]+$|[/~.]{1,2}[^\s]*\/[^\s]*$)/i;
    const text = fc.string({ unit: fc.constantFrom(...'ab é@./~:'), minLength: 1, maxLength: 8 });
    fc.assert(
      // With a second word that is no code, only an address is not prose; without one, what is neither address nor code is.
      fc.property(text, (each) => {
        const trimmed = each.trim();
        fc.pre(trimmed !== '' && !/^[.,:/\s]*$/.test(trimmed) && !/^(?=\S*[@:])\S+$/.test(trimmed));
        expect(isProse(each)).toBe(!address.test(trimmed));
      }),
      { numRuns: 5_000 },
    );
    for (const email of ['a@b.c', 'a@b..c', 'a@.b.c']) expect(isProse(email)).toBe(false);
  });

  it('answers for megabytes of what addresses are made of', () => {
    const many = 2_000_000;
    for (const text of ['/', '.', '~/', 'a@.', '@', '1', 'a.', '+'].map((unit) => unit.repeat(many))) {
      isProse(`/${text} x`);
      isProse(`a@${text} x`);
      expect(isProse(`word ${text} word`)).toBe(true);
    }
  });
});
