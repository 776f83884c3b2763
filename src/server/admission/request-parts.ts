import type { Ticket } from './gate.ts';

/**
 * What a request asks for at once. Its ticket is paused while all of that waits for something else than the work that is shared: for an
 * index to be opened, or for the changes before it. As long as some of it is at work, the request is.
 */
export class RequestParts {
  readonly #ticket: Pick<Ticket, 'pause'>;
  #parts = 0;
  #waiting = 0;
  #resume: (() => void) | null = null;

  constructor(ticket: Pick<Ticket, 'pause'>) {
    this.#ticket = ticket;
  }

  /** A part, in which something may wait. */
  async run<Result>(part: () => Promise<Result>): Promise<Result> {
    this.#change(1, 0);
    try {
      return await part();
    } finally {
      this.#change(-1, 0);
    }
  }

  /** Within a part: it does nothing else meanwhile. */
  async wait<Result>(promise: Promise<Result>): Promise<Result> {
    this.#change(0, 1);
    try {
      return await promise;
    } finally {
      this.#change(0, -1);
    }
  }

  #change(parts: number, waiting: number): void {
    this.#parts += parts;
    this.#waiting += waiting;
    if (this.#waiting > 0 && this.#waiting === this.#parts) this.#resume ??= this.#ticket.pause();
    else {
      this.#resume?.();
      this.#resume = null;
    }
  }
}

const noTicket = { pause: () => () => undefined };
const partsByRequest = new WeakMap<AbortSignal, RequestParts>();

/** From now on the parts of the request with this signal pause its ticket. */
export function pauseByParts(signal: AbortSignal, ticket: Pick<Ticket, 'pause'>): void {
  partsByRequest.set(signal, new RequestParts(ticket));
}

/** What has a signal of its own within the request is part of it all the same. */
export function shareParts({ of, with: other }: { of: AbortSignal; with: AbortSignal }): void {
  const parts = partsByRequest.get(of);
  if (parts) partsByRequest.set(other, parts);
}

/** By the signal that says that its caller is there; without a ticket they pause nothing. */
export function partsOf(signal: AbortSignal | undefined): RequestParts {
  return (signal && partsByRequest.get(signal)) ?? new RequestParts(noTicket);
}
