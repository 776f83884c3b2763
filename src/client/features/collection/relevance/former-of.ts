import type { RelevanceMeasure } from '#shared/judgements.ts';

/** The measure before one of a list, newest first, that compares: of the same mode. */
export function formerOf(measures: readonly RelevanceMeasure[], at: number): RelevanceMeasure | null {
  const mode = measures[at]?.mode;
  return measures.slice(at + 1).find((measure) => measure.mode === mode) ?? null;
}
