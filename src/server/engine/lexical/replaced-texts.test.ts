import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldText } from '../documents/text-fields.ts';
import { runSteps } from '../steps.ts';
import { LexicalIndex } from './lexical-index.ts';

/** Some stand beside others: `XJ-200` is `xj200` as well, and that may be a word of its own. */
const word = fc.constantFrom('red', 'wine', 'wines', 'the', 'XJ-200', 'xj200', 'C++', 'c', '4.5', '🍷');
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const texts: fc.Arbitrary<FieldText[]> = fc.array(
  fc.record({ path: fc.constantFrom('title', 'body', 'tags'), text }),
  { maxLength: 4 },
);
const changes = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(3), texts }),
    // Some fields as they were.
    fc.record({ at: fc.nat(3), but: fc.constantFrom('title', 'body', 'tags'), texts }),
  ),
  { maxLength: 8 },
);

/** What scores and matches are made of, by word: numbers of words differ with the order in which they were met. */
function figuresOf(index: LexicalIndex) {
  const { dictionary, postings, lengths } = index;
  const figures = Array.from({ length: dictionary.count }, (_, id) => {
    const list = postings.listOf(id);
    return [
      dictionary.textOf(id),
      dictionary.documentsOf(id),
      dictionary.livingWordsOf(id),
      dictionary.others.of(id),
      dictionary.others.heldOf(id),
      list < 0 ? 0 : postings.documentsOf(list),
    ];
  });
  return { figures: figures.filter(([, ...rest]) => rest.some(Boolean)).sort(), sum: lengths.sum(null) };
}

it('a document in place of another counts as if that had been forgotten, whatever both have in common', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 4, maxLength: 4 }), changes, (first, history) => {
      const [own, plain] = [new LexicalIndex(), new LexicalIndex()];
      const held = first.map((each, ordinal) => {
        for (const index of [own, plain]) runSteps(index.add(ordinal, each));
        return { ordinal, texts: each };
      });
      for (const [i, change] of history.entries()) {
        const former = held[change.at] ?? { ordinal: 0, texts: [] };
        const kept = 'but' in change ? former.texts.filter(({ path }) => path !== change.but) : [];
        const others = change.texts.filter(({ path }) => !('but' in change) || path === change.but);
        const next = { ordinal: 4 + i, texts: [...kept, ...others] };
        runSteps(own.replace(former, next.ordinal, next.texts));
        runSteps(plain.forget(former.ordinal, former.texts));
        runSteps(plain.add(next.ordinal, next.texts));
        held[change.at] = next;
        expect(own.lengths.of(next.ordinal, null)).toBe(plain.lengths.of(next.ordinal, null));
        expect(figuresOf(own)).toEqual(figuresOf(plain));
      }
    }),
    { numRuns: 300 },
  );
});
