import { z } from 'zod';
import { collectionName, collectionRef } from './collections.ts';
import { documentId } from './document-id.ts';
import { moment } from './fields.ts';
import { grades, judgedQuery } from './judged-query.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { wholeNumber } from './parameters.ts';
import { ruleText } from './rule-id.ts';
import { searchModes } from './search.ts';

export const judgedQueryField = ruleText(limits.judgedQueryCharactersMax).overwrite(judgedQuery);
const query = judgedQueryField;
const grade = z.int().min(grades.notRelevant).max(grades.best);

/** A document is named by its id; it need not be there (yet). */
const judgementFields = { query, document: documentId, grade };

export const judgementWrite = z.strictObject({ collection: collectionName, ...judgementFields });
/** A row of an upload. */
export const judgementRow = z.strictObject(judgementFields);
/** Of one query, where one is named. */
export const judgementList = collectionRef.extend({ query: query.optional(), ...pageFields });
/** Without a document: all of the query's. */
export const judgementDelete = collectionRef.extend({ query, document: documentId.optional() });

export const judgementShape = z.object({ ...judgementFields, judgedAt: moment }).meta({ id: 'Judgement' });
export type Judgement = z.output<typeof judgementShape>;
const listedJudgement = judgementShape
  .extend({
    judgedBy: z
      .string()
      .nullable()
      .describe('A member by name, or a key as `key Website`; null: they are gone, or a key asks'),
  })
  .meta({ id: 'ListedJudgement' });
export type ListedJudgement = z.output<typeof listedJudgement>;
export const judgementsShape = z.object({ judgements: z.array(listedJudgement) });

export const judgedQueryList = collectionRef.extend(pageFields);
const judgedQueryShape = z
  .object({ query, documents: z.int(), relevant: z.int().describe('Documents with a grade above 0') })
  .meta({ id: 'JudgedQuery' });
export type JudgedQuery = z.output<typeof judgedQueryShape>;
export const judgedQueriesShape = z.object({ queries: z.array(judgedQueryShape) });

const share = z.number().min(0).max(1);

/** What one judged query finds among its first ten hits. */
const queryFigures = z
  .object({
    query,
    relevant: z.int().describe('Judged documents with a grade above 0'),
    ndcg: share,
    rank: z.int().nullable().describe('Of the first relevant hit, from 1; null: there is none among ten'),
    before: share
      .nullable()
      .describe('Its nDCG@10 in the measure before; null: it was not in it, or that was of another mode'),
    error: z.string().nullable().describe('Why it could not be searched; it then finds nothing'),
  })
  .meta({ id: 'QueryFigures' });
export type QueryFigures = z.output<typeof queryFigures>;

const change = z.object({
  action: z.string().describe('The operation, as the audit names it: `synonyms.upsert`'),
  times: z.int(),
});
export type MeasuredChange = z.output<typeof change>;
const changes = z.array(change).max(limits.measuredChangesMax);

const measureFields = {
  id: z.int(),
  measuredAt: moment,
  mode: z.enum(searchModes),
  reason: z.string().nullable(),
  /** What was done to the collection since the measure before, the most frequent first. */
  changes,
  /** So many have a relevant document; the means are theirs. */
  queries: z.int(),
  ndcg: share.describe('nDCG@10, the mean'),
  hitRate: share.describe('Share of the queries with a relevant hit among the first ten'),
  mrr: share.describe('Mean of 1 / rank of the first relevant hit, 0 where there is none among ten'),
};
const measureShape = z.object(measureFields).meta({ id: 'RelevanceMeasure' });
export type RelevanceMeasure = z.output<typeof measureShape>;

const results = z
  .array(queryFigures)
  .max(limits.judgedQueriesMax)
  .describe('Of each query with a relevant document, the worst first');

export const measureInput = collectionRef.extend({
  mode: z.enum(searchModes).default('hybrid'),
  /** Why it is measured, for the history. */
  reason: ruleText(limits.measureReasonCharactersMax).optional(),
});
export const measureAnswerShape = z.object({ ...measureFields, results }).meta({ id: 'MeasuredRelevance' });
export type MeasuredRelevance = z.output<typeof measureAnswerShape>;

export const measureList = collectionRef.extend({
  per_page: wholeNumber(1, limits.measuresKeptMax).default(limits.measuresKeptMax),
  /** Of whose newest measure results and changes are told; absent: of the newest of all. */
  mode: z.enum(searchModes).optional(),
});
export const measuresShape = z
  .object({
    measures: z.array(measureShape).max(limits.measuresKeptMax).describe('The last ones, newest first'),
    results: results.describe('Of the newest measure, or the newest of the mode that was asked for'),
    changes: changes.describe('What was done to the collection since that measure'),
  })
  .meta({ id: 'RelevanceMeasures' });
export type RelevanceMeasures = z.output<typeof measuresShape>;
