import { BestRate } from './best-rate.ts';

/**
 * How many requests may be at work at once, so that none waits much longer than `delayTargetMs`: as many as are completed in that time at
 * the best rate of late (Little's law), whatever they wait for. A burst may be more. When there were more throughout `standingMs`, the
 * excess is no burst but a queue that stands, as CoDel tells them apart (RFC 8289), and the number is kept to until nothing had to be
 * refused for `calmMs`. Time in which nothing comes, goes or is asked does not count: a process that stands still makes no burst a queue.
 */
export interface DelayLimits {
  delayTargetMs: number;
  /** So many at least: below it the engine's threads would idle. */
  atOnceMin: number;
  /** Of a flood so many at least: its next request is there at once, so fewer keep the threads busy. */
  floodMin: number;
}

const standingMs = 100;
/** What counts at most between two looks. */
const betweenLooksMs = 20;
const calmMs = 1_000;

export class DelayControl {
  readonly #limits: DelayLimits;
  readonly #now: () => number;
  readonly #rate = new BestRate();
  #atWork = 0;
  /** For how long there have been more than there is room for; null: there are not. */
  #overMs: number | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #congestedUntil = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds that only grow */
  constructor(limits: DelayLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get atWork(): number {
    return this.#atWork;
  }

  /** How many at once meet the target. */
  get room(): number {
    return this.#roomFor(this.#limits.delayTargetMs, this.#limits.atOnceMin);
  }

  /** How many of a flood: they wait a quarter as long. */
  get shortRoom(): number {
    return this.#roomFor(this.#limits.delayTargetMs / 4, this.#limits.floodMin);
  }

  #roomFor(delayMs: number, min: number): number {
    return Math.max(min, Math.floor((this.#rate.perMs ?? 0) * delayMs));
  }

  /** Whether the room has to be kept to. */
  get isCongested(): boolean {
    const now = this.#look();
    if (this.#overMs !== null && this.#overMs >= standingMs) this.#congestedUntil = now + calmMs;
    return now < this.#congestedUntil;
  }

  noteExcess(): void {
    this.#congestedUntil = this.#now() + calmMs;
  }

  begin(): void {
    this.#atWork += 1;
    this.#rate.begin(this.#now());
    this.#compare();
  }

  /** One waits for something else, and begins again. */
  pause(): void {
    this.#atWork -= 1;
    this.#rate.pause(this.#now(), this.#atWork === 0);
    this.#compare();
  }

  end(): void {
    this.#atWork -= 1;
    this.#rate.complete(this.#now(), this.#atWork === 0);
    this.#compare();
  }

  #compare(): void {
    this.#look();
    if (this.#atWork <= this.room) this.#overMs = null;
    else this.#overMs ??= 0;
  }

  #look(): number {
    const now = this.#now();
    if (this.#overMs !== null) this.#overMs += Math.min(now - this.#lookedAt, betweenLooksMs);
    this.#lookedAt = now;
    return now;
  }
}
