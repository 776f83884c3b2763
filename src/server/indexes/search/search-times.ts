import { type StepTime, searchSteps } from '#shared/search.ts';
import type { PartTimes } from '../host/part-clock.ts';

type Step = StepTime['step'];

/**
 * What a search spends its time on. What no other step has is `query`: its parameters, rules and answer. Times are those of this process, so of
 * an answer that comes from one index they add up to the whole.
 */
export class SearchTimes {
  readonly #startedAt = performance.now();
  readonly #ms = new Map<Step, number>();

  /** Milliseconds so far. */
  get tookMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** What the engine did, of the time that was waited for it; several of its threads may be at work for one search. */
  addParts(times: PartTimes): void {
    for (const step of searchSteps) {
      const ms = step === 'query' || step === 'embedding' || step === 'waiting' ? undefined : times[step];
      if (ms !== undefined) this.#add(step, ms);
    }
  }

  async of<Result>(step: Step, task: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await task();
    this.#add(step, performance.now() - startedAt);
    return result;
  }

  /** Waits for one answer of the engine: what it was not at work is waiting. */
  async ofEngine<Result extends { times: PartTimes }>(task: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await task();
    let waitedMs = performance.now() - startedAt;
    for (const ms of Object.values(result.times)) waitedMs -= ms;
    this.#add('waiting', waitedMs);
    this.addParts(result.times);
    return result;
  }

  /** Of a search that took so long, in the order in which they begin; steps that it did not have are left out. */
  upTo(tookMs: number): StepTime[] {
    let left = tookMs;
    for (const [step, ms] of this.#ms) if (step !== 'query') left -= ms;
    this.#ms.set('query', left);
    return timingsOf(this.#ms);
  }

  /** The same of several indexes at once, whose times are sums: there is no whole that they are parts of. */
  sums(): StepTime[] {
    return timingsOf(this.#ms);
  }

  #add(step: Step, ms: number): void {
    this.#ms.set(step, (this.#ms.get(step) ?? 0) + ms);
  }
}

function timingsOf(all: ReadonlyMap<Step, number>): StepTime[] {
  const timings: StepTime[] = [];
  for (const step of searchSteps) {
    const ms = all.get(step);
    if (ms !== undefined) timings.push({ step, ms: roundedMs(ms) });
  }
  return timings;
}

/** To the microsecond. Clocks of two threads may differ by some. */
export function roundedMs(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}
