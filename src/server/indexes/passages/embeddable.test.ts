import { expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import type { CollectionMetadata } from '#shared/collections.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { contentHash } from './content-hash.ts';
import { embeddableOf } from './embeddable.ts';

const embeddable = (document: StoredDocument, metadata: CollectionMetadata | null = null) =>
  runSteps(
    embeddableOf(
      {
        id: 1,
        for: { tenant: 't', caller: 'c' },
        dimension: 3,
        metric: 'cosine',
        metadata,
        rulesVersion: 0,
      },
      document,
    ),
  );

const sentences = (about: string, count: number) =>
  Array.from({ length: count }, (_, i) => `The ${about} of number ${i} is described here.`).join(' ');

it('is one passage of all texts where they are short', () => {
  const short = embeddable({ id: 'a', title: 'Alien', plot: 'A crew meets a monster.', mood: 'dark' });
  const text = { title: 'Alien', text: 'A crew meets a monster.\ndark' };
  expect(short).toEqual({ text, passages: [text], spans: Int32Array.of(-1, 0, 28), cut: [] });
});

it('says which field each passage lies in, and where; not of lists, whose texts have one name', () => {
  const document = {
    id: 'a',
    year: 1979,
    title: 'Alien',
    sku: 'AL-1979-X',
    about: { plot: sentences('monster', 60) },
    reviews: [sentences('ship', 40), sentences('crew', 40)],
  };
  const long = embeddable(document);
  const spans = Array.from({ length: long?.passages.length ?? 0 }, (_, i) =>
    long?.spans.subarray(i * 3, i * 3 + 3),
  );
  expect(spans.length).toBeGreaterThan(2);
  const shown = spans.map((span, i) => {
    const [place = -1, start, end] = span ?? [];
    // id is no field: title, sku, about.plot, reviews.
    const text = place === 2 ? document.about.plot.slice(start, end) : null;
    return { place, isRight: text === null || long?.passages[i]?.text.startsWith(text) };
  });
  expect(new Set(shown.map(({ place }) => place))).toEqual(new Set([2, -1]));
  expect(shown.every(({ isRight }) => isRight)).toBe(true);
  expect(long?.passages.every(({ title }) => title === 'Alien')).toBe(true);
});

it('is cut as the collection says, and other cuts are other vectors', () => {
  const document = { id: 'a', text: sentences('monster', 120) };
  const [usual, longer, whole] = [
    embeddable(document),
    embeddable(document, { embed: { passage_characters: 4_000 } }),
    embeddable(document, { embed: { passages_max: 1 } }),
  ];
  expect(usual?.passages.length).toBeGreaterThan(longer?.passages.length ?? 0);
  expect(whole?.passages).toEqual([whole?.text]);
  const hashes = [usual, longer, whole].map((each) => Buffer.from(contentHash('m', 3, each)).toString('hex'));
  expect(new Set(hashes).size).toBe(3);
});

it('is one passage where the text is blank, so that the title is read', () => {
  const blank = embeddable(
    { id: 'a', title: 'Alien', text: ' '.repeat(3_000) },
    { embed: { fields: ['title', 'text'] } },
  );
  expect(blank?.passages).toEqual([blank?.text]);
});

it('has no more of a long title in each passage than its beginning', () => {
  const long = embeddable({ id: 'a', title: 'word '.repeat(5_000), text: sentences('monster', 120) });
  expect(long?.passages.length).toBeGreaterThan(2);
  expect(long?.passages.every(({ title }) => title.length <= 256)).toBe(true);
});

it('has other vectors where the same text is cut elsewhere, since it lies in other fields', () => {
  // Without sentences it is cut after so many characters.
  const [first, second] = ['word '.repeat(390).trim(), 'other '.repeat(300).trim()];
  const hashOf = (document: StoredDocument) => contentHash('m', 3, embeddable(document));
  const [one, two] = [
    { id: 'a', text: `${first}\n${second}` },
    { id: 'a', text: first, more: second },
  ];
  expect(embeddable(one)?.text).toEqual(embeddable(two)?.text);
  expect(embeddable(one)?.cut).not.toEqual(embeddable(two)?.cut);
  expect(hashOf(one)).not.toEqual(hashOf(two));
});
