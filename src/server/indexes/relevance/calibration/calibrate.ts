import type { Steps } from '#server/engine/steps.ts';
import type { FiguresAsked, JudgedFigures } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import { inParallel } from '../../search/in-parallel.ts';
import { isOfTheQuery } from '../find-top.ts';
import { isRelevant } from '../list-figures.ts';
import { searchesAtOnce } from '../measure-queries.ts';
import type { Calibrated, ToCalibrate } from './calibrated.ts';
import { fitRelevance } from './fit-relevance.ts';
import { heldOutError } from './held-out-error.ts';
import type { JudgedPair } from './judged-pair.ts';

interface Parts {
  ask: (query: { mode: SearchMode; query: string } & FiguresAsked) => Promise<JudgedFigures[]>;
  /** Steps in turns with the work of others. */
  runSteps: <Result>(steps: Steps<Result>) => Promise<Result>;
  signal: AbortSignal;
}

/**
 * Fits relevance to what is judged of a collection as it stands. A pair is a judged document that a query finds; where what is not judged counts as
 * not relevant, it is each of its first hits, and no document behind them: there what is not judged would be missing beside what is.
 * @throws AppError UNPROCESSABLE where there are too few pairs, as searches do, the signal's reason
 */
export async function calibrate(
  { mode, judged, unjudged }: ToCalibrate,
  { ask, runSteps, signal }: Parts,
): Promise<Calibrated> {
  const first = unjudged === 'not_relevant' ? limits.calibrationHits : 0;
  const found = await inParallel(judged, { atOnce: searchesAtOnce, signal }, async ({ query, grades }) => {
    const ids = first > 0 ? [] : [...grades.keys()];
    const figures = await ask({ mode, query, judged: ids, first }).catch((error: unknown) => {
      // It finds nothing, as where relevance is measured.
      if (error instanceof AppError && isOfTheQuery(error)) return [];
      throw error;
    });
    return figures.map(({ id, isFirst: _, ...own }) => ({
      ...own,
      isRelevant: isRelevant(grades.get(id) ?? 0),
    }));
  });
  const pairs = found
    .filter((ofQuery) => ofQuery.length > 0)
    .flatMap((ofQuery, query) => ofQuery.map((pair): JudgedPair => ({ ...pair, query })));
  const counts = countsOf(pairs);
  assertEnough(counts);
  const weights = await runSteps(fitRelevance(pairs));
  return { ...counts, weights, heldOut: await runSteps(heldOutError(pairs)) };
}

function countsOf(pairs: readonly JudgedPair[]): Pick<Calibrated, 'queries' | 'pairs' | 'relevant'> {
  return {
    queries: new Set(pairs.map(({ query }) => query)).size,
    pairs: pairs.length,
    relevant: pairs.filter((pair) => pair.isRelevant).length,
  };
}

function assertEnough({
  queries,
  pairs,
  relevant,
}: Pick<Calibrated, 'queries' | 'pairs' | 'relevant'>): void {
  const { calibrationPairsMin, calibrationKindMin, calibrationQueriesMin } = limits;
  const isEnough =
    queries >= calibrationQueriesMin &&
    pairs >= calibrationPairsMin &&
    Math.min(relevant, pairs - relevant) >= calibrationKindMin;
  if (isEnough) return;
  throw new AppError(
    'UNPROCESSABLE',
    `Relevance is fitted to at least ${calibrationPairsMin} judged documents that ${calibrationQueriesMin} queries or more find, ` +
      `${calibrationKindMin} of them relevant and ${calibrationKindMin} not. So far ${queries} queries find ${pairs}: ${relevant} relevant, ${pairs - relevant} not. ` +
      'Judge more, also with grade 0; or say that what is not judged is not relevant ("unjudged": "not_relevant")',
  );
}
