import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { limits } from './limits.ts';
import { wholeNumber } from './parameters.ts';

const typed = z
  .string()
  .max(limits.queryCharactersMax, `must be at most ${limits.queryCharactersMax} characters`)
  .optional();

export const suggestInput = collectionRef.extend({
  query: typed.describe('What is typed so far; empty or absent: what many search for'),
  q: typed.describe('The same as `query`'),
  limit: wholeNumber(1, limits.suggestionsMax).default(8),
});

const suggestion = z.object({
  query: z.string().describe('To search for'),
  highlighted: z.string().describe('HTML-escaped, with `<mark>` around what is completed or corrected'),
  source: z
    .enum(['queries', 'titles', 'terms', 'values'])
    .describe('`queries`: searched here before, and found; the others: of the documents'),
});
export type Suggestion = z.output<typeof suggestion>;

export const suggestionsShape = z
  .object({ q: z.string(), suggestions: z.array(suggestion), search_time_ms: z.number() })
  .meta({ id: 'Suggestions' });
export type Suggestions = z.output<typeof suggestionsShape>;
