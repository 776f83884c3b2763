import { databaseUnavailable, isDatabaseAway, toRecordError } from '#server/db/record-error.ts';
import { AppError } from '#server/errors.ts';
import { SharedMap } from '#server/memory/shared-map.ts';
import { within } from '#server/within.ts';

/** What the record says of some names. An error is for whoever asked and is not kept; a name that is missing stands for nothing. */
export type Found<V> = ReadonlyMap<string, V | AppError>;
export type LookUp<V> = (names: string[]) => Promise<Found<V>>;

export interface Known<V> {
  value: V;
  /** False: the record cannot be asked just now, and this is what it said last; good enough to read by. */
  isConfirmed: boolean;
}

export interface KnownAnswersOptions<V> {
  clock: () => Date;
  entriesMax: number;
  /** The account that an answer is kept for: who has most of them makes room for all others. */
  ownerOf: (value: V) => string;
  /** How long a look-up may take where there is no answer of before to fall back on. */
  waitMs: number;
  /** Whether changes are heard of just now: while they are not, each answer is asked for. Absent: they are. */
  hears?: () => boolean;
  /** Whether an answer must be asked for anew although it is young. */
  isDue?: (value: V) => boolean;
}

interface Entry<V> {
  value: V;
  /** When its look-up began, ms since 1970. */
  askedAt: number;
  /** How often all had been doubted then. */
  doubts: number;
}

interface UnderWay<V> {
  answer: Promise<Found<V>>;
  /** By the clock that is never put back. */
  since: number;
}

/** How long an answer stands without asking again. */
const keptMs = 60_000;
/** How old an answer may be that stands in while the record is away. */
const keptWhileAwayMs = 24 * 60 * 60_000;
/** How long a look-up may take where there is an answer of before to fall back on, if it may as long otherwise. */
const fallBackAfterMs = 1_000;
/** While the record is away, those who have an answer of before do not wait for it; it is asked beside them once in so long. */
const askAgainAfterMs = 1_000;
/** Characters of all answers and their names together, about. */
const sizeMax = 32 * 1024 * 1024;

/**
 * Answers of the record by name, kept for a minute. What does not exist is not kept, so that it is there as soon as it is made.
 *
 * Whoever changes what an answer says drops it before the change is answered. A look-up that is under way at that moment may have read the
 * state of before: its answer goes to those who asked before, and is neither kept nor given to anyone who asks later.
 */
export class KnownAnswers<V> {
  readonly #options: KnownAnswersOptions<V>;
  readonly #entries: SharedMap<Entry<V>>;
  /** Under way, by the names they look up. */
  #lookUps = new Map<string, UnderWay<V>>();
  /** Advances with every drop. */
  #generation = 0;
  #doubts = 0;
  /** Its connection was lost. One that is slow is not away: a flood of names that nobody knows makes it so. */
  #isAway = false;
  #askAgainAt = 0;

  constructor(options: KnownAnswersOptions<V>) {
    this.#options = options;
    this.#entries = new SharedMap({ entriesMax: options.entriesMax, sizeMax });
  }

  /** What one name stands for; null: nothing. @throws as `askAll` */
  async ask(name: string, lookUp: () => Promise<V | null>): Promise<Known<V> | null> {
    const young = this.#young(name);
    if (young !== null) return { value: young, isConfirmed: true };
    const answer = await this.askAll([name], async () => {
      const value = await lookUp();
      return new Map(value === null ? [] : [[name, value]]);
    });
    return answer(name);
  }

  /**
   * Asks at once for all names that are not known. The function answered throws what is wrong with a name; UNAVAILABLE, when the record
   * could not be asked for it and has not been lately.
   * @throws what `lookUp` throws, unless it is that the record is away
   */
  async askAll(names: string[], lookUp: LookUp<V>): Promise<(name: string) => Known<V> | null> {
    const kept = new Map<string, Known<V>>();
    const missing: string[] = [];
    for (const name of new Set(names)) {
      const value = this.#young(name);
      if (value === null) missing.push(name);
      else kept.set(name, { value, isConfirmed: true });
    }
    const found = missing.length === 0 ? new Map<string, never>() : await this.#find(missing, lookUp);
    return (name) => {
      const answer = kept.get(name) ?? found.get(name) ?? null;
      if (answer instanceof AppError) throw answer;
      return answer;
    };
  }

  /** The answer, if it stands without asking. */
  find(name: string): V | null {
    return this.#young(name);
  }

  /** Whether there is an answer, young enough or only good enough while the record is away. */
  has(name: string): boolean {
    return this.#old(name) !== null;
  }

  /** Drops what a change concerns. */
  drop(isConcerned: (value: V, name: string) => boolean): void {
    this.#generation += 1;
    this.#lookUps = new Map();
    this.#entries.deleteWhere(({ value }, name) => isConcerned(value, name));
  }

  clear(): void {
    this.drop(() => true);
  }

  /** Changes may have been missed: all are asked for anew, and stand in as before should the record be away by then. */
  doubt(): void {
    this.#doubts += 1;
    this.#lookUps = new Map();
    this.#isAway = false;
  }

  #young(name: string): V | null {
    const entry = this.#entries.get(name);
    if (!entry || entry.doubts !== this.#doubts || !this.#isYounger(entry, keptMs)) return null;
    const { hears, isDue } = this.#options;
    return hears?.() === false || isDue?.(entry.value) ? null : entry.value;
  }

  /** A clock that was put back makes no answer last longer. */
  #isYounger({ askedAt }: Entry<V>, milliseconds: number): boolean {
    const age = this.#options.clock().getTime() - askedAt;
    return age >= 0 && age < milliseconds;
  }

  async #find(names: string[], lookUp: LookUp<V>): Promise<Map<string, Known<V> | AppError>> {
    const hasOld = names.every((name) => this.#old(name) !== null);
    if (hasOld && this.#isAway) {
      this.#askBeside(names, lookUp);
      return this.#answers(names, (name) => this.#old(name));
    }
    try {
      const { answer, since } = this.#lookUp(names, lookUp);
      // Of those who ask for the same while it does not answer, only the first waits so long.
      const waited = performance.now() - since;
      const { waitMs: waitMsMax } = this.#options;
      const waitMs = Math.max(0, (hasOld ? Math.min(fallBackAfterMs, waitMsMax) : waitMsMax) - waited);
      const found = await within(answer, waitMs, databaseUnavailable);
      return this.#answers(names, (name) => {
        const value = found.get(name) ?? null;
        return value === null || value instanceof AppError ? value : { value, isConfirmed: true };
      });
    } catch (error) {
      const away = error instanceof AppError ? error : toRecordError(error);
      if (away?.code !== 'UNAVAILABLE') throw error;
      if (isDatabaseAway(error)) {
        this.#isAway = true;
        this.#askAgainAt = performance.now() + askAgainAfterMs;
      }
      return this.#answers(names, (name) => this.#old(name) ?? away);
    }
  }

  #answers(
    names: string[],
    answer: (name: string) => Known<V> | AppError | null,
  ): Map<string, Known<V> | AppError> {
    const answers = new Map<string, Known<V> | AppError>();
    for (const name of names) {
      const one = answer(name);
      if (one !== null) answers.set(name, one);
    }
    return answers;
  }

  #old(name: string): Known<V> | null {
    const entry = this.#entries.peek(name);
    return entry && this.#isYounger(entry, keptWhileAwayMs)
      ? { value: entry.value, isConfirmed: false }
      : null;
  }

  #askBeside(names: string[], lookUp: LookUp<V>): void {
    if (performance.now() < this.#askAgainAt) return;
    this.#askAgainAt = performance.now() + askAgainAfterMs;
    this.#lookUp(names, lookUp);
  }

  /** One look-up for all who ask for the same at the same time. */
  #lookUp(names: string[], lookUp: LookUp<V>): UnderWay<V> {
    const key = JSON.stringify(names);
    const lookUps = this.#lookUps;
    const underWay = lookUps.get(key);
    if (underWay) return underWay;
    const generation = this.#generation;
    const asked = { askedAt: this.#options.clock().getTime(), doubts: this.#doubts };
    const answer = lookUp(names)
      .then((found) => {
        this.#isAway = false;
        if (generation === this.#generation) this.#keep(names, found, asked);
        return found;
      })
      .finally(() => lookUps.delete(key));
    const begun = { answer, since: performance.now() };
    lookUps.set(key, begun);
    // Those who waited may have left.
    answer.catch(() => undefined);
    return begun;
  }

  #keep(names: string[], found: Found<V>, asked: Pick<Entry<V>, 'askedAt' | 'doubts'>): void {
    for (const name of names) {
      const value = found.get(name);
      if (value === undefined || value instanceof AppError) this.#entries.delete(name);
      else {
        const owner = this.#options.ownerOf(value);
        this.#entries.set(name, { value, ...asked }, { owner, size: name.length + sizeOf(value) });
      }
    }
  }
}

/** Characters of its texts, and a few for each thing: without writing it out, which takes long for hundreds of collections. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  let size = thingSize;
  if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) size += sizeOf(one);
  return size;
}
const thingSize = 8;
