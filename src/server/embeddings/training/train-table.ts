import { RandomNumbers } from '#server/random-numbers.ts';
import { CosineLoss } from './cosine-loss.ts';
import { RowAdam } from './row-adam.ts';
import type { TokenBag } from './token-bag.ts';

/** Share of the rate that is left at the end. */
const lastRateShare = 0.02;

export interface TrainingSettings {
  steps: number;
  /** Texts a step, drawn at random. */
  batch: number;
  /** The highest rate. */
  rate: number;
  /** Steps in which the rate rises to its highest. */
  warmUpSteps: number;
  seed: number;
}

interface TrainingTexts {
  bags: readonly TokenBag[];
  /** The teacher's vectors of unit length, one a text. */
  targets: Float32Array;
  dims: number;
}

/**
 * Fits a table in place, so that the texts' vectors come near the teacher's. After each step it yields the batch's mean loss.
 * The same seed and texts make the same numbers.
 */
export function* trainTable(
  table: Float32Array,
  { bags, targets, dims }: TrainingTexts,
  settings: TrainingSettings,
): Generator<number> {
  const random = new RandomNumbers(settings.seed);
  const adam = new RowAdam(table.length / dims, dims);
  const loss = new CosineLoss(table, dims);
  for (let step = 0; step < settings.steps; step++) {
    let total = 0;
    for (let i = 0; i < settings.batch; i++) {
      const index = random.below(bags.length);
      const bag = bags[index];
      if (bag) total += loss.add(bag, targets, index * dims, 1 / settings.batch);
    }
    adam.step(table, loss.gradients, loss.touched, rateAt(step, settings));
    loss.clear();
    yield total / settings.batch;
  }
}

/** Rises linearly, then falls by half a cosine. */
export function rateAt(step: number, { steps, rate, warmUpSteps }: TrainingSettings): number {
  if (step < warmUpSteps) return (rate * (step + 1)) / warmUpSteps;
  const done = (step - warmUpSteps) / Math.max(1, steps - warmUpSteps);
  return rate * (lastRateShare + ((1 - lastRateShare) * (1 + Math.cos(Math.PI * done))) / 2);
}

/** The mean cosine of the texts' vectors to the teacher's. */
export function meanCosine(table: Float32Array, { bags, targets, dims }: TrainingTexts): number {
  const loss = new CosineLoss(table, dims);
  const losses = bags.map((bag, index) => loss.of(bag, targets, index * dims));
  return 1 - losses.reduce((sum, each) => sum + each, 0) / Math.max(1, bags.length);
}
