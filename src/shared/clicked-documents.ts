import { z } from 'zod';
import { collectionName, collectionRef } from './collections.ts';
import { grades } from './judged-query.ts';
import { judgedQueryField } from './judgements.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { wholeNumber } from './parameters.ts';

/** So many searches in which a document was clicked make it relevant, unless told. */
export const clicksMinDefault = 3;
const clicksMin = wholeNumber(1, limits.judgedClicksMax).default(clicksMinDefault);

export const clickedInput = collectionRef.extend({ clicks_min: clicksMin, ...pageFields });
export const putClickedInput = z.strictObject({ collection: collectionName, clicks_min: clicksMin });

const clickedDocument = z
  .object({
    query: judgedQueryField,
    document: z.string(),
    clicks: z.int().describe('Searches for the query in which it was clicked'),
    conversions: z.int().describe('Searches for the query that led to a conversion with it'),
    searches: z.int().describe('Searches for the query in which anything was clicked'),
    grade: z
      .int()
      .min(grades.relevant)
      .max(grades.best)
      .describe(
        'What these clicks say: 1, or 2 where half of those searches clicked it; 1 more with a conversion',
      ),
  })
  .meta({ id: 'ClickedDocument' });
export type ClickedDocument = z.output<typeof clickedDocument>;

export const clickedShape = z.object({ clicked: z.array(clickedDocument) });
export const putClickedShape = z.object({ judged: z.int().describe('Judgements that were made') });

/** What clicks say of a document. Those that were not clicked may not have been seen: clicks say of none that it is not relevant. */
export function gradeOfClicks({
  clicks,
  conversions,
  searches,
}: Pick<ClickedDocument, 'clicks' | 'conversions' | 'searches'>): number {
  const isUsual = 2 * clicks >= searches;
  return grades.relevant + (isUsual ? 1 : 0) + (conversions > 0 ? 1 : 0);
}
