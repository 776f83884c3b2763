import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { timestamp } from './fields.ts';
import { judgedQueryField } from './judgements.ts';
import { limits } from './limits.ts';
import { wholeNumber } from './parameters.ts';
import { searchModes } from './search.ts';
import { searchEngines } from './search-engines.ts';
import { ruleDraft } from './search-preview.ts';

/** What a change of the rules does to a judged query; a query is of the first kind that fits. */
export const comparedKinds = ['emptied', 'rescued', 'lost', 'gained', 'moved', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

/** As the settings may name one, and more. */
const modelCharactersMax = 1_100;

export const compareInput = collectionRef.extend({
  mode: z.enum(searchModes).default('hybrid'),
  draft: ruleDraft.default({}).describe('Changes that are not saved'),
  model: z
    .string()
    .min(1)
    .max(modelCharactersMax)
    .optional()
    .describe(
      'Another model that the collection could have, by its name in the list of models. It is compared among some of the documents, which are embedded by it',
    ),
  documents: wholeNumber(1, limits.comparedDocumentsMax)
    .default(1_000)
    .describe('Among how many documents at most another model is compared; without one it says nothing'),
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

const among = z
  .object({
    model: z.string(),
    documents: z
      .int()
      .describe(
        'All where the collection has no more. Else those that are judged, and the best of each query as it is searched now: what the other model alone would find is not among them, so its figures may be too high',
      ),
    of: z.int().describe('Documents of the collection'),
    refused: z.int().describe('To so many of them the other model gives no vector'),
    engine: z
      .enum(searchEngines)
      .describe(
        'The engine that ranked the hits of both models. Where GET /api/engine names another one, that one answers searches, and they may find a few other hits with either model, in what it cannot do (false in its `capabilities`)',
      ),
  })
  .meta({ id: 'ComparedAmong' });
export type ComparedAmong = z.output<typeof among>;

/** How far a comparison of models is. */
const progress = z.object({
  documents: z.int().describe('That are embedded; 0: it is not known yet'),
  documentsDone: z.int(),
  queries: z.int(),
  queriesDone: z.int(),
});
export type ComparingProgress = z.output<typeof progress>;

export const comparableModelsShape = z
  .object({
    live: z
      .string()
      .describe(
        'That the collection has: static, transformer, or the id of a service or of a model in a directory',
      ),
    models: z
      .array(z.string())
      .describe('Those that the server has for its dimensions, the live one among them if it is there'),
    comparing: progress
      .nullable()
      .describe('How far a comparison that this server makes of it is; null: it makes none'),
  })
  .meta({ id: 'ComparableModels' });
export type ComparableModels = z.output<typeof comparableModelsShape>;

const counts = z.object(
  Object.fromEntries(comparedKinds.map((kind) => [kind, z.int()])) as Record<ComparedKind, z.ZodInt>,
);

export const comparisonShape = z
  .object({
    mode: z.enum(searchModes),
    queries: z.int().describe('So many have a relevant document; the means are theirs'),
    before: means,
    after: means,
    among: among
      .nullable()
      .describe(
        'Among which documents both were searched, before and after; null: all, since no model is compared',
      ),
    counts: counts.describe('Queries of each kind, whatever part of them is answered'),
    results: z
      .array(comparedQuery)
      .max(limits.judgedQueriesMax)
      .describe('The greatest change of nDCG@10 first'),
  })
  .meta({ id: 'RelevanceComparison' });
export type RelevanceComparison = z.output<typeof comparisonShape>;
