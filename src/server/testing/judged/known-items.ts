/**
 * Documents that somebody looks for by their titles, as these are typed: whole, misspelt, unfinished, or by their rarest words. Judged by
 * construction: the document, and those with the same title, are what is looked for.
 */

import { tokenize } from '#server/engine/text/analyzer.ts';
import { stopWords } from '#server/engine/text/stop-words.ts';
import { RandomNumbers } from '#server/random-numbers.ts';
import type { CorpusRow, JudgedQuery, JudgedSet } from './judged-set.ts';
import { someOf } from './some-of.ts';
import { cutShort, misspelt } from './typing-errors.ts';

/** How many queries, and what they are drawn by. */
interface Made {
  count: number;
  seed: number;
}

interface Title {
  id: string;
  words: string[];
}

/** Changes the words of a title; null: it has none to change so. */
type Typing = (words: string[], random: RandomNumbers) => string[] | null;

const typings: Record<string, Typing> = {
  clean: (words) => words,
  'one typo': (words, random) => {
    const first = longest(words);
    return first < 0 ? null : edited(words, [first], random);
  },
  'two typos': (words, random) => {
    const first = longest(words);
    const second = longest(words, first);
    return second < 0 ? null : edited(words, [first, second], random);
  },
  'two in one word': (words, random) => {
    const first = longest(words);
    return first < 0 ? null : edited(words, [first, first], random);
  },
  'last word cut': (words, random) => {
    const last = words.at(-1) ?? '';
    return [...last].length < 4 ? null : words.with(-1, cutShort(last, random));
  },
  'four letters': (words, random) => {
    const short = words.findIndex((word) => [...word].length === 4 && !stopWords.has(word));
    return short < 0 ? null : edited(words, [short], random);
  },
};

/** The same titles, typed in different ways: a set of each. */
export function titleSets(name: string, rows: readonly CorpusRow[], { count, seed }: Made): JudgedSet[] {
  const titles = titlesOf(rows);
  const byTitle = new Map<string, string[]>();
  for (const { id, words } of titles)
    byTitle.set(words.join(' '), [...(byTitle.get(words.join(' ')) ?? []), id]);
  return Object.entries(typings).map(([kind, typing]) => {
    const random = new RandomNumbers(seed);
    const queries: JudgedQuery[] = [];
    for (const { id, words } of someOf(titles, titles.length, random)) {
      const typed = typing(words, random);
      if (typed === null) continue;
      const same = byTitle.get(words.join(' ')) ?? [];
      queries.push({ id, text: typed.join(' '), grades: new Map(same.map((each) => [each, 1])) });
      if (queries.length === count) break;
    }
    return { name: `${name}: ${kind}`, queries };
  });
}

/** The three rarest words of titles, in their order. */
export function rareWordSets(name: string, rows: readonly CorpusRow[], { count, seed }: Made): JudgedSet[] {
  const titles = titlesOf(rows);
  const holders = new Map<string, number>();
  for (const { words } of titles)
    for (const word of new Set(words)) holders.set(word, (holders.get(word) ?? 0) + 1);
  const rarest = (words: string[]) => {
    const rare = new Set(
      [...new Set(words.filter(([first = '']) => /\p{L}/u.test(first)))]
        .sort((a, b) => (holders.get(a) ?? 0) - (holders.get(b) ?? 0))
        .slice(0, 3),
    );
    return words.filter((word) => rare.delete(word));
  };
  const some = someOf(titles, count, new RandomNumbers(seed)).map(({ id, words }) => ({
    id,
    words: rarest(words),
  }));
  return ['clean', 'one typo', 'two typos'].map((kind) => {
    const random = new RandomNumbers(seed);
    const queries = some.flatMap(({ id, words }) => {
      const typed = words.length < 3 ? null : (typings[kind]?.(words, random) ?? null);
      return typed === null ? [] : [{ id, text: typed.join(' '), grades: new Map([[id, 1]]) }];
    });
    return { name: `${name}: three words, ${kind}`, queries };
  });
}

function titlesOf(rows: readonly CorpusRow[]): Title[] {
  return rows.flatMap(({ _id: id, title }) => {
    const words = typeof title === 'string' ? tokenize(title).map(({ token }) => token) : [];
    return words.length === 0 ? [] : [{ id, words }];
  });
}

/** Of the longest word; −1: no other has letters enough to be misspelt. */
function longest(words: string[], except = -1): number {
  let best = -1;
  words.forEach((word, place) => {
    const length = [...word].length;
    if (place !== except && length > 3 && length > (words[best]?.length ?? 0)) best = place;
  });
  return best;
}

function edited(words: string[], places: number[], random: RandomNumbers): string[] {
  return places.reduce((typed, place) => typed.with(place, misspelt(typed[place] ?? '', random)), words);
}
