import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { timestamp } from './fields.ts';
import { judgedQueryField } from './judgements.ts';
import { limits } from './limits.ts';
import { wholeNumber } from './parameters.ts';
import { searchModes } from './search.ts';
import { ruleDraft } from './search-preview.ts';

/** What a change of the rules does to a judged query; a query is of the first kind that fits. */
export const comparedKinds = ['emptied', 'rescued', 'lost', 'gained', 'moved', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export const compareInput = collectionRef.extend({
  mode: z.enum(searchModes).default('hybrid'),
  draft: ruleDraft.describe('Changes that are not saved'),
  at: timestamp.optional().describe('The moment that overrides are asked of; absent: now'),
  queries: z
    .array(judgedQueryField)
    .min(1)
    .max(limits.judgedQueriesMax)
    .optional()
    .describe('Judged queries; absent: all of them'),
  kinds: z.array(z.enum(comparedKinds)).max(comparedKinds.length).optional().describe('Absent: all of them'),
  page: wholeNumber(1).default(1),
  per_page: wholeNumber(1, limits.judgedQueriesMax).default(limits.judgedQueriesMax),
});

const share = z.number().min(0).max(1);
const place = z.int().nullable();

const means = z
  .object({
    ndcg: share.describe('nDCG@10, the mean'),
    hitRate: share.describe('Share of the queries with a relevant hit among the first ten'),
    mrr: share.describe('Mean of 1 / rank of the first relevant hit, 0 where there is none among ten'),
  })
  .meta({ id: 'RelevanceMeans' });
export type RelevanceMeans = z.output<typeof means>;

const side = z
  .object({
    ndcg: share,
    rank: place.describe('Of the first relevant hit, from 1; null: there is none among ten'),
    hits: z.array(z.string()).max(10).describe('The ids of the first ten, in order'),
    error: z.string().nullable().describe('Why it could not be searched; it then finds nothing'),
  })
  .meta({ id: 'ComparedHits' });
export type ComparedHits = z.output<typeof side>;

const comparedQuery = z
  .object({
    query: z.string(),
    kind: z
      .enum(comparedKinds)
      .describe(
        'emptied: it finds nothing any more; rescued: it found nothing before; lost, gained: its nDCG@10 is lower, higher; moved: it is the same, of other first ten hits; same: so are they',
      ),
    change: z.number().min(-1).max(1).describe('Its nDCG@10 after, less that before'),
    before: side,
    after: side,
    judged: z
      .array(
        z.object({
          document: z.string(),
          grade: z.int(),
          before: place.describe('Its rank among the first ten; null: it is not there'),
          after: place,
        }),
      )
      .max(limits.judgementsMax)
      .describe('All that is judged of the query, the best grade first'),
  })
  .meta({ id: 'ComparedQuery' });
export type ComparedQuery = z.output<typeof comparedQuery>;

const counts = z.object(
  Object.fromEntries(comparedKinds.map((kind) => [kind, z.int()])) as Record<ComparedKind, z.ZodInt>,
);

export const comparisonShape = z
  .object({
    mode: z.enum(searchModes),
    queries: z.int().describe('So many have a relevant document; the means are theirs'),
    before: means,
    after: means,
    counts: counts.describe('Queries of each kind, whatever part of them is answered'),
    results: z
      .array(comparedQuery)
      .max(limits.judgedQueriesMax)
      .describe('The greatest change of nDCG@10 first'),
  })
  .meta({ id: 'RelevanceComparison' });
export type RelevanceComparison = z.output<typeof comparisonShape>;
