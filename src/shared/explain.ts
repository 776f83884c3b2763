import { z } from 'zod';

/** What hits' scores are made of. */

/** All that a document holds of a word in one field and in one way. */
const match = z.object({
  field: z.string().nullable().describe('Null: one of the fields beyond the first 4,095'),
  as: z.enum(['word', 'synonym', 'prefix', 'typo']),
  typos: z.int().describe('Between the word and what stands for it').exactOptional(),
  forms: z.array(z.string()).describe('What stands there, as it is indexed; ten at most'),
  frequency: z.int(),
  field_weight: z.number(),
  share: z.number().describe('What it counts beside the word itself'),
  score: z.number(),
});

const word = z.object({
  word: z.string(),
  count: z.int().describe('Times it stands in the query'),
  documents: z.int().describe('Documents that hold it'),
  weight: z.number().describe('Its idf times its count, less where it is read as another word'),
  saturation: z
    .number()
    .describe(
      'How much of the weight the document earns: 0 to 1; with OpenSearch as the engine what its score is of the weight, which can be more',
    ),
  score: z.number().describe('Weight times saturation'),
  matches: z.array(match).describe("Their scores add up to the word's"),
});

const side = z.object({
  value: z.number().describe('0 to 1'),
  rank: z.int().describe('With `rrf`, where the side has the document').exactOptional(),
});

export const hitExplanation = z
  .object({
    parts: z
      .object({ keyword: z.number().exactOptional(), vector: z.number().exactOptional() })
      .describe(
        'What each side adds to the score, the hits near to it with `vector`; neither: an override alone has brought the hit',
      ),
    keyword: z
      .object({
        score: z.number(),
        length: z.number().describe('Words of the searched fields, weighted like them'),
        mean_length: z.number(),
        words: z.array(word).describe('Their scores, and `whole_title`, add up to the score'),
        missing: z.array(z.string()).describe('Words of the query that the document does not hold'),
        whole_title: z
          .number()
          .describe('What it earns because its title has the words of the query and no others')
          .exactOptional(),
        coverage: z
          .number()
          .describe('0 to 1: how much of the weight of all words it holds, one only with a typo in part'),
      })
      .exactOptional(),
    vector: z
      .object({
        similarity: z.number(),
        distance: z.number(),
        neighbour: z.boolean().describe('It is one of the `k` nearest'),
      })
      .exactOptional(),
    fusion: z
      .object({
        method: z.enum(['weighted', 'rrf']),
        alpha: z.number(),
        keyword: side,
        vector: side,
        neighbours: z
          .object({
            weight: z.number().describe('The part of the score that they make; the sides have the rest'),
            value: z.number().describe('Mean score of the hits nearest to it; 0: it is none of the best 50'),
          })
          .describe('Where good hits that are near to each other lift each other (`neighbours_weight`)')
          .exactOptional(),
      })
      .exactOptional(),
    pinned_at: z.int().describe('Where an override pins it').exactOptional(),
  })
  .meta({ id: 'HitExplanation', description: 'What a score is made of' });
export type HitExplanation = z.output<typeof hitExplanation>;
export type FusedSide = z.output<typeof side>;
