import type { RelevanceModel } from '#server/engine/types.ts';
import type { Unjudged } from '#shared/calibrations.ts';
import type { SearchMode } from '#shared/search.ts';
import type { HeldOutError } from './held-out-error.ts';

export interface ToCalibrate {
  mode: SearchMode;
  judged: readonly { query: string; grades: ReadonlyMap<string, number> }[];
  unjudged: Unjudged;
}

export interface Calibrated {
  weights: RelevanceModel;
  heldOut: HeldOutError;
  /** Judged queries with a pair, pairs, and those of them that are relevant. */
  queries: number;
  pairs: number;
  relevant: number;
}
