import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { splitInSteps, splitSentences } from './split-sentences.ts';

const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

test.each([
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['Dr. Smith met Mr. Jones. They left.', ['Dr. Smith met Mr. Jones.', 'They left.']],
  ['Philip K. Dick wrote it. It sold.', ['Philip K. Dick wrote it.', 'It sold.']],
  [
    'The U.S. Indian School in the U.S. The band marched.',
    ['The U.S. Indian School in the U.S.', 'The band marched.'],
  ],
  [
    'It was made by Warner Bros. Pictures and A. B. Inc. The cast has Robert Downey Jr. Tom Hanks left.',
    ['It was made by Warner Bros. Pictures and A. B. Inc.', 'The cast has Robert Downey Jr. Tom Hanks left.'],
  ],
  ['See no. 3 of vol. 2. They said no. The end.', ['See no. 3 of vol. 2.', 'They said no.', 'The end.']],
  ['It cost 3.5 million. That is a lot.', ['It cost 3.5 million.', 'That is a lot.']],
  ['100 Years ... 100 Movies list. Next.', ['100 Years ... 100 Movies list.', 'Next.']],
  ['He said "Go." She went.', ['He said "Go."', 'She went.']],
  [
    'Do Androids Dream of Electric Sheep? The film is set in 2019.',
    ['Do Androids Dream of Electric Sheep?', 'The film is set in 2019.'],
  ],
  ['A line\nthat goes on.\n\nA heading\n\nMore', ['A line\nthat goes on.', 'A heading', 'More']],
  ['Parts:\n- the first\n- the second', ['Parts:', '- the first', '- the second']],
  ['映画です。面白い！', ['映画です。', '面白い！']],
  ['Works by e.g. Blake, etc. and others.', ['Works by e.g. Blake, etc. and others.']],
  ['', []],
  [' \n ', []],
])('%j', (text, expected) => {
  expect(sentencesOf(text)).toEqual(expected);
});

it('cuts a sentence without end between words', () => {
  const text = 'word '.repeat(400);
  const all = sentencesOf(text);
  expect(all.length).toBeGreaterThan(2);
  expect(all.every((each) => each.length <= 600 && /^word( word)*$/.test(each))).toBe(true);
});

it('loses nothing but space, and keeps the order', () => {
  const piece = fc.oneof(
    fc.constantFrom('. ', '? ', '\n', '\n\n', '"', 'Mr. ', 'A', 'b', '1.5', '。', '... ', '😀'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const text = pieces.join('');
      const spans = splitSentences(text);
      for (const [i, { start, end }] of spans.entries()) {
        expect(start).toBeGreaterThanOrEqual(spans[i - 1]?.end ?? 0);
        expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
        expect(end).toBeGreaterThan(start);
      }
      expect(sentencesOf(text).join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    }),
  );
});

it('splits a long text with pauses, also one without sentences', () => {
  for (const text of ['A sentence. '.repeat(6_000), 'word '.repeat(14_000)]) {
    const steps = splitInSteps(text);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(3);
    expect(step.value).toEqual(splitSentences(text));
  }
});
