import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { moment } from './fields.ts';
import { searchModes } from './search.ts';

const mode = z.enum(searchModes);

/** What a document is that nobody has judged: left out, or not relevant. */
const unjudged = z.enum(['ignored', 'not_relevant']);
export type Unjudged = z.output<typeof unjudged>;

export const calibrationFit = collectionRef.extend({
  mode: mode.default('hybrid'),
  unjudged: unjudged.default('ignored'),
});
/** Without a mode: all of them. */
export const calibrationDelete = collectionRef.extend({ mode: mode.optional() });

/** What has changed since it was fitted, so that it is better fitted again. */
const staleReasons = ['settings', 'model', 'judgements'] as const;
export type StaleReason = (typeof staleReasons)[number];

const share = z.number().min(0).max(1);

export const calibrationShape = z
  .object({
    mode: mode.describe('Of the searches whose hits it tells the relevance of'),
    fittedAt: moment,
    unjudged: unjudged.describe('What hits were taken for that nobody has judged'),
    queries: z.int().describe('Judged queries that it was fitted to'),
    pairs: z.int().describe('Hits of them of which it is known whether they are relevant'),
    relevant: z.int().describe('Those that are'),
    heldOut: z
      .object({
        calibrationError: share.describe('Mean distance of told relevance from the share that is relevant'),
        brier: share.describe('Mean squared difference from 1 for what is relevant and 0 for what is not'),
      })
      .describe('Errors about queries that it was not fitted to: five folds by query'),
    weights: z
      .object({ base: z.number(), score: z.number(), words: z.number(), nearest: z.number() })
      .describe('Of the log-odds: base + score · a hit’s score + words · … + nearest · …'),
    stale: z.array(z.enum(staleReasons)).describe('What has changed since; empty: it fits'),
  })
  .meta({ id: 'Calibration' });
export type Calibration = z.output<typeof calibrationShape>;
export const calibrationsShape = z.object({
  calibrations: z.array(calibrationShape).max(searchModes.length),
});
