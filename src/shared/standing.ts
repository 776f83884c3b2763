import { z } from 'zod';
import { documentId } from './document-id.ts';
import { searchInput, searchModes } from './search.ts';
import { effectiveRequestShape, hitGroup, hitShape } from './search-answers.ts';

/** Where one document stands in a search. */
export const explainInput = searchInput.extend({
  /** Of the document. */
  id: documentId,
  mode: z.enum(searchModes).default('keyword'),
});

const missingWord = z.object({
  word: z.string(),
  other_fields: z.array(z.string()).describe('Fields that hold it and are not searched').exactOptional(),
  near: z
    .object({ word: z.string(), typos: z.int() })
    .describe('The word of the document that differs least from it')
    .exactOptional(),
});

const lost = z
  .object({
    step: z.enum([
      'document',
      'rule',
      'filter',
      'phrase',
      'exclusion',
      'word',
      'typo_limit',
      'dropped_word',
      'neighbours',
      'relevance',
      'rank',
      'group',
    ]),
    message: z.string(),
    clauses: z
      .array(z.object({ clause: z.string(), position: z.int() }))
      .describe('Conditions of the filter that keep it out')
      .exactOptional(),
    words: z.array(missingWord).describe('Words that it does not hold').exactOptional(),
    left_out: z.array(z.string()).describe('Words that it holds and that are stop words').exactOptional(),
    vector_distance: z.number().exactOptional(),
    nearest: z.int().describe('Its place among all that pass the filter').exactOptional(),
  })
  .meta({ id: 'Lost', description: 'At which step a document was lost' });
export type Lost = z.output<typeof lost>;

/** As the search takes it. */
const parameterValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.array(z.number()),
  z.object({
    vector: z.array(z.number()).exactOptional(),
    id: z.string().exactOptional(),
    k: z.int().exactOptional(),
    distance_threshold: z.number().exactOptional(),
  }),
]);
export type ParameterValue = z.output<typeof parameterValue>;

const { score, relevance, text_match, vector_distance, curated, passage, geo_distance_meters, explain } =
  hitShape.shape;

export const explainAnswerShape = z
  .object({
    id: z.string(),
    rank: z
      .int()
      .nullable()
      .describe('Among all that were found, from 1; with groups its group’s; null: it was not'),
    page: z.int().nullable().describe('On which page it stands; null: on none that can be asked for'),
    group: z
      .object({
        group_key: hitGroup.shape.group_key,
        found: hitGroup.shape.found,
        rank: z.int().describe('Of the document within the group, from 1'),
      })
      .describe('With groups: the one that it is in')
      .exactOptional(),
    found: z.int(),
    found_docs: z.int().describe('With groups').exactOptional(),
    out_of: z.int(),
    score: score.exactOptional(),
    relevance,
    text_match,
    vector_distance,
    curated,
    passage,
    geo_distance_meters,
    explain,
    lost: lost.nullable().describe('Null: it is on the page that was asked for'),
    also_lost: z.array(lost).describe('What keeps it out beside that').exactOptional(),
    changes: z
      .array(z.object({ parameter: z.string(), value: parameterValue }))
      .describe(
        'The fewest parameters with which it comes, one where one suffices; empty where it is there or no change was found',
      ),
    request: effectiveRequestShape,
  })
  .meta({ id: 'ExplainAnswer' });
export type ExplainAnswer = z.output<typeof explainAnswerShape>;
