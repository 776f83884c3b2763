import type { Log, LogFields } from '#server/log.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Actor } from './audit-entry.ts';

export interface RejectionLine {
  requestId: string;
  action: string;
  code: ErrorCode;
  reason: string;
  actor: Actor;
  workspaceId: number | null;
  address: string;
}

/**
 * Lines of the log about those who ask too often: the first of a caller at once, what follows as one line a second that says how many
 * there were. So a flood does not fill the log, and is not made dearer by it.
 */
export class RejectionLines {
  readonly #log: Log;
  /** What came since the last line, by caller. */
  readonly #since = new Map<string, { fields: LogFields; times: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns how often the caller was refused before within this second */
  note({ requestId, ...line }: RejectionLine): number {
    const { action, code, actor, address } = line;
    const caller = `${action} ${code} ${actor.kind} ${actor.id ?? actor.name ?? ''} ${address}`;
    const name = this.#since.size < callersMax || this.#since.has(caller) ? caller : others;
    const known = this.#since.get(name);
    if (known) {
      known.times += 1;
      return known.times;
    }
    const fields = fieldsOf(line);
    this.#log.info('refused', { requestId, ...fields });
    this.#since.set(name, { fields: name === others ? { code, of: 'many callers' } : fields, times: 0 });
    this.#timer ??= setInterval(() => this.flush(), lineEveryMs).unref();
    return 0;
  }

  /** Writes what came since the last line. Who was not refused in that time is forgotten. */
  flush(): void {
    for (const [name, counted] of this.#since) {
      if (counted.times === 0) this.#since.delete(name);
      else this.#log.info('refused', { ...counted.fields, times: counted.times });
      counted.times = 0;
    }
    if (this.#since.size === 0) this.#rest();
  }

  stop(): void {
    this.flush();
    this.#since.clear();
    this.#rest();
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

const callersMax = 1_000;
const others = '';
const lineEveryMs = 1_000;

export function fieldsOf({ actor, ...line }: Omit<RejectionLine, 'requestId'>): LogFields {
  return { ...line, actor: `${actor.kind} ${actor.id ?? actor.name ?? ''}`.trim() };
}
