import { z } from 'zod';
import { answeredAs } from './documented-as.ts';
import { limits } from './limits.ts';
import { listOf, textOf } from './parameters.ts';

const stopWordCharactersMax = 64;

/** Words that a query is read without: `default` (those of the language), `none`, or a list. */
export const stopWordsParameter = answeredAs(
  z
    .union(
      [
        listOf(
          { max: limits.stopWordsMax, isItem: textOf(1, stopWordCharactersMax) },
          z.array(z.string().min(1).max(stopWordCharactersMax)).max(limits.stopWordsMax),
        ),
        z.string().max(limits.stopWordsCharactersMax),
      ],
      `must be "default", "none", or a list of at most ${limits.stopWordsMax} words`,
    )
    .transform((value) => {
      if (value === 'default' || value === 'none') return value;
      return (typeof value === 'string' ? value.split(',') : value).map((word) => word.trim());
    })
    .refine((value) => value.length <= limits.stopWordsMax, `must be at most ${limits.stopWordsMax} words`)
    .refine(
      (value) => typeof value === 'string' || charactersOf(value) <= limits.stopWordsCharactersMax,
      `must be at most ${limits.stopWordsCharactersMax} characters in all`,
    ),
  z.union([z.enum(['default', 'none']), z.array(z.string())]),
);

/** Each is read for each search: a character of Chinese is two words of it. */
function charactersOf(words: string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}
