import { z } from 'zod';
import { answeredAs } from './documented-as.ts';
import { listOf, textOf } from './parameters.ts';

const phrasesMax = 20;
const phraseCharactersMax = 512;

/** Phrases of a query: an array, or one. Not parted by commas, which a phrase may have. */
export const phraseList = answeredAs(
  z
    .union(
      [
        listOf(
          { max: phrasesMax, isItem: textOf(1, phraseCharactersMax) },
          z.array(z.string().min(1).max(phraseCharactersMax)).max(phrasesMax),
        ),
        z.string().max(phraseCharactersMax),
      ],
      `must be a phrase or a list of at most ${phrasesMax}, each of at most ${phraseCharactersMax} characters`,
    )
    .transform((value) => (typeof value === 'string' ? [value] : value).filter((phrase) => phrase !== '')),
  z.array(z.string()),
);
