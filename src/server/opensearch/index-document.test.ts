import { expect, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { analyzerOf } from '#server/indexes/language/analyzer-of.ts';
import { usualConstants } from './fixed-constants.ts';
import { indexDocument } from './index-document.ts';
import { KnownFields } from './known-fields.ts';

const indexed = (fields: object, { hasContent = true } = {}) =>
  runSteps(
    indexDocument(
      { id: 'a', source: JSON.stringify({ id: 'a', ...fields }), vectors: new Float32Array(0) },
      {
        collection: { dimension: 8, metric: 'cosine' },
        analyzer: analyzerOf(null),
        declared: [],
        known: new KnownFields([]),
        hasContent,
        constants: usualConstants,
      },
    ),
  );

test('a text is its terms in a row, and apart from them those of its words that are no stop words, in a title as often as that counts', () => {
  expect(indexed({ title: 'The lamp', text: 'a wi-fi lamp of it' })).toMatchObject({
    t: { text: ['a wi fi lamp of it', 'wifi'], title: ['the lamp'] },
    c: { text: ['wi fi lamp wifi'], title: ['lamp'] },
    content: ['lamp', 'lamp', 'wi fi lamp wifi'],
  });
  expect(indexed({ text: 'of it' })).not.toHaveProperty('c');
});

test('in an index that the release before has made there is no content', () => {
  const document = indexed({ text: 'the lamp' }, { hasContent: false });
  expect(document).not.toHaveProperty('c');
  expect(document).not.toHaveProperty('content');
});

test('a text of half a million words is taken', () => {
  const words = 500_000;
  const { content, terms } = indexed({ text: 'lamp 7 '.repeat(words / 2) });
  for (const texts of [content, terms]) expect((texts as string[]).join(' ').split(' ')).toHaveLength(words);
});
