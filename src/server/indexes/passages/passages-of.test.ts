import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import type { TextPart } from './embedding-text.ts';
import type { PassageLimits } from './passage-limits.ts';
import { passagesOf as passageSteps, passagesAtMost } from './passages-of.ts';
import { splitSentences } from './split-sentences.ts';

const passagesOf = (whole: ReturnType<typeof placed>, limits: PassageLimits) =>
  runSteps(passageSteps(whole, limits));

/** Texts, one a field, as `embeddingText` joins them. */
function placed(texts: string[]): { text: string; parts: TextPart[] } {
  let at = 0;
  const parts = texts.map((each, i): TextPart => {
    const start = at;
    at += each.length + 1;
    return { path: `field${i}`, start, end: start + each.length };
  });
  return { text: texts.join('\n'), parts };
}

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const sentence = fc
  .array(word, { minLength: 1, maxLength: 40 })
  .map((words) => `${words.join(' ').replace(/^./, (first) => first.toUpperCase())}.`);
const texts = fc.array(
  fc.array(sentence, { minLength: 1, maxLength: 30 }).map((all) => all.join(' ')),
  { minLength: 1, maxLength: 5 },
);

it('holds every sentence whole, in passages of no more than their length', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 600, max: 2_000 }), (fields, characters) => {
      const whole = placed(fields);
      const passages = passagesOf(whole, { characters, most: 1_000 });
      expect(passages.length).toBeLessThanOrEqual(
        passagesAtMost(whole.text.length, { characters, most: 1_000 }),
      );
      for (const { text, start, end } of passages) {
        expect(whole.text.slice(start, end)).toBe(text);
        expect(text.length).toBeLessThanOrEqual(characters);
      }
      for (const part of whole.parts) {
        for (const each of splitSentences(whole.text.slice(part.start, part.end))) {
          const [start, end] = [part.start + each.start, part.start + each.end];
          expect(passages.some((passage) => passage.start <= start && end <= passage.end)).toBe(true);
        }
      }
    }),
  );
});

it('goes on with no more than a sixth of the passage before, and never back', () => {
  fc.assert(
    fc.property(texts, (fields) => {
      const passages = passagesOf(placed(fields), { characters: 600, most: 1_000 });
      for (const [i, { start, end }] of passages.slice(1).entries()) {
        const before = passages[i];
        expect(start).toBeGreaterThan(before?.start ?? 0);
        expect(end).toBeGreaterThan(before?.end ?? 0);
        expect((before?.end ?? 0) - start).toBeLessThanOrEqual(100);
      }
    }),
  );
});

it('repeats the last sentence where it is short', () => {
  const sentences = Array.from({ length: 40 }, (_, i) => `Sentence ${i + 10} says this and no more.`);
  const [first, second] = passagesOf(placed([sentences.join(' ')]), { characters: 600, most: 9 });
  expect(first?.text.endsWith('Sentence 26 says this and no more.')).toBe(true);
  expect(second?.text.startsWith('Sentence 25 says this and no more.')).toBe(true);
});

it('leaves a short text as it is, a long one that must not be cut too, and what is beyond the most passages out', () => {
  const long = 'These are some words of it. '.repeat(400);
  const limits = { characters: 600, most: 4 };
  expect(passagesOf(placed(['Short. Text.']), limits)).toEqual([{ text: 'Short. Text.', start: 0, end: 12 }]);
  expect(passagesOf(placed([long]), { ...limits, most: 1 })).toEqual([
    { text: long, start: 0, end: long.length },
  ]);
  expect(passagesOf(placed([long]), limits).length).toBe(4);
});

it('cuts a text without any space or full stop', () => {
  const passages = passagesOf(placed(['字'.repeat(5_000)]), { characters: 1_200, most: 64 });
  expect(passages.map(({ text }) => text).join('').length).toBe(5_000);
});

it('says how many there are at most', () => {
  const limits = { characters: 2_000, most: 64 };
  expect([0, 2_000, 2_001, 20_000, 1e7].map((length) => passagesAtMost(length, limits))).toEqual([
    1, 1, 4, 26, 64,
  ]);
  expect(passagesAtMost(1e6, { ...limits, most: 1 })).toBe(1);
});
