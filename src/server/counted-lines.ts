import type { Log, LogFields, LogLevel } from './log.ts';

/** Something that anybody can bring about as often as they like. */
interface CountedEvent {
  /** Whose doing it is, and what: like is counted with like. */
  name: string;
  /** Where it comes from: under that and its kind it is counted while more names are held than may be, and then by kind alone. */
  group: string;
  kind: string;
  /** Of the first line alone. */
  requestId: string;
  fields: LogFields;
}

interface Counted {
  fields: LogFields;
  times: number;
}

/** Of names, and as many of groups. */
const namesMax = 10_000;
/** First ones that are told at once, and names of which the count is told, both within a second. */
const linesMax = 100;
const lineEveryMs = 1_000;

/**
 * Lines of the log that do not grow with what they tell of: the first of a name at once, what follows as one line a second that says how many
 * there were. However many names there are, so many lines a second tell of them, those with most first, and one of all the rest. Beyond 10,000
 * names within a second further ones are counted by group, beyond as many groups by kind, and the line says so.
 */
export class CountedLines {
  readonly #log: Log;
  readonly #message: string;
  readonly #level: LogLevel;
  /** What came since the last lines, by name, group or kind. */
  readonly #since = new Map<string, Counted>();
  #toldAtOnce = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Log, message: string, level: LogLevel = 'info') {
    this.#log = log;
    this.#message = message;
    this.#level = level;
  }

  /** @returns how often it came before within this second, as far as it is counted apart */
  note(event: CountedEvent): number {
    const { name, fields } = this.#countedAs(event);
    const known = this.#since.get(name);
    if (known) {
      known.times += 1;
      return known.times;
    }
    const isTold = this.#toldAtOnce < linesMax;
    if (isTold) {
      this.#toldAtOnce += 1;
      this.#log[this.#level](this.#message, { requestId: event.requestId, ...event.fields });
    }
    this.#since.set(name, { fields, times: isTold ? 0 : 1 });
    this.#timer ??= setInterval(() => this.flush(), lineEveryMs).unref();
    return 0;
  }

  /** Writes what came since the last lines. What did not come in that time is forgotten. */
  flush(): void {
    const came = [...this.#since.values()].filter(({ times }) => times > 0);
    if (came.length > linesMax) came.sort((a, b) => b.times - a.times);
    for (const { fields, times } of came.slice(0, linesMax))
      this.#log[this.#level](this.#message, { ...fields, times });
    const rest = came.slice(linesMax);
    if (rest.length > 0) {
      const times = rest.reduce((sum, one) => sum + one.times, 0);
      this.#log[this.#level](this.#message, { of: `${rest.length} further callers`, times });
    }
    for (const [name, counted] of this.#since) {
      if (counted.times === 0) this.#since.delete(name);
      counted.times = 0;
    }
    this.#toldAtOnce = 0;
    if (this.#since.size === 0) this.#rest();
  }

  stop(): void {
    this.flush();
    this.#since.clear();
    this.#rest();
  }

  #countedAs({ name, group, kind, fields }: CountedEvent): { name: string; fields: LogFields } {
    if (this.#since.has(name) || this.#since.size < namesMax) return { name, fields };
    const ofGroup = `all of ${group}: ${kind}`;
    if (this.#since.has(ofGroup) || this.#since.size < 2 * namesMax) {
      return { name: ofGroup, fields: { kind, of: `all of ${group}` } };
    }
    return { name: `many: ${kind}`, fields: { kind, of: 'many callers' } };
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
