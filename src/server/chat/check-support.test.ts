import { expect, test } from 'vitest';
import { sourceOf } from '../testing/chat-source.ts';
import { checkSupport } from './check-support.ts';

const extract =
  'Solaris is a 1972 Soviet film directed by Andrei Tarkovsky. It is based on the novel by Stanisław Lem. The ocean does not answer the scientists.';

const sources = await Promise.all([
  sourceOf({ id: 'solaris', title: 'Solaris', extract }),
  sourceOf({ id: 'bees', title: 'Bees', extract: 'A hive has forty thousand bees in summer.' }),
]);

/** Of each sentence its text and what of the sources is said to support it. */
async function checked(answer: string) {
  const sentences = await checkSupport(answer, sources, async () => {});
  return sentences.map(({ start, end, supported, citations }) => {
    expect(supported).toBe(citations.length > 0);
    const texts = [extract, 'A hive has forty thousand bees in summer.'];
    const quoted = citations.map((each) => texts[each.source - 1]?.slice(each.start, each.end));
    return [answer.slice(start, end), quoted.join(' ')];
  });
}

const directed = 'Solaris is a 1972 Soviet film directed by Andrei Tarkovsky.';
const based = 'It is based on the novel by Stanisław Lem.';

test.each<[string, string, string]>([
  ['its words', 'Solaris was directed by Andrei Tarkovsky', directed],
  [
    'two sentences together',
    'The Soviet film Solaris is based on a novel by Stanisław Lem',
    `${directed} ${based}`,
  ],
  ['another name', 'Solaris was directed by Steven Soderbergh', ''],
  ['another number', 'Solaris is a Soviet film of 2002', ''],
  ['a denial', 'Solaris was not directed by Andrei Tarkovsky', ''],
  ['what is denied', 'The ocean does answer the scientists', ''],
  ['the same denial', 'The ocean doesn’t answer the scientists', 'The ocean does not answer the scientists.'],
  ['something else', 'It won several prizes at festivals', ''],
])('a sentence with %s', async (_, sentence, quoted) => {
  expect(await checked(`${sentence} [1].`)).toEqual([[`${sentence} [1].`, quoted]]);
});

test('only the sources that a sentence cites support it, and all of them where it cites none', async () => {
  expect(await checked('Solaris was directed by Andrei Tarkovsky. [2]')).toEqual([
    ['Solaris was directed by Andrei Tarkovsky.', ''],
  ]);
  expect(await checked('A hive has forty thousand bees.')).toEqual([
    ['A hive has forty thousand bees.', 'A hive has forty thousand bees in summer.'],
  ]);
  expect(await checked('Solaris was directed by Andrei Tarkovsky [7].')).toEqual([
    ['Solaris was directed by Andrei Tarkovsky [7].', ''],
  ]);
});

test('marks behind a full stop belong to the sentence before them', async () => {
  const answer = 'Solaris was directed by Andrei Tarkovsky. [1] A hive has forty thousand bees. [2]';
  expect(await checked(answer)).toEqual([
    ['Solaris was directed by Andrei Tarkovsky.', directed],
    ['A hive has forty thousand bees.', 'A hive has forty thousand bees in summer.'],
  ]);
});

test.each(['[1, 2]', '[1][2]', '[source 1]', '[Sources 1; 2]'])('%s names sources', async (mark) => {
  expect(await checked(`Solaris was directed by Andrei Tarkovsky ${mark}.`)).toEqual([
    [`Solaris was directed by Andrei Tarkovsky ${mark}.`, directed],
  ]);
  expect(await checked(`Solaris was directed by Andrei Tarkovsky. ${mark}`)).toEqual([
    ['Solaris was directed by Andrei Tarkovsky.', directed],
  ]);
});

test('others have their turns while a long sentence is compared with many', async () => {
  const towers = Array.from({ length: 200 }, (_, i) => `The tower stands at gate ${i}.`).join(' ');
  const texts = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`text${i}`, towers]));
  const source = await sourceOf({ id: 'towers', title: 'Towers', ...texts });
  const turnsFor = async (answer: string) => {
    let turns = 0;
    await checkSupport(answer, [source], async () => {
      turns += 1;
    });
    return turns;
  };
  const long = Array.from({ length: 120 }, (_, i) => `w${i}`).join(' ');
  expect((await turnsFor(long)) - (await turnsFor('one word'))).toBeGreaterThan(5);
});
