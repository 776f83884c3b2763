import type { Socket } from 'node:net';
import { MinimumRate, type StallLimits } from '#server/wire/minimum-rate.ts';

/** Looked at so many times within the time that a reader may stand still. */
const looksWithinStall = 60;

/** Whoever takes less than so many times the minimum, over this part of that time, is slow, and not yet too slow. */
const slowTimes = 10;
const slowPart = 1 / 6;

interface Reader {
  rate: MinimumRate;
  /** Used up, it is slow. */
  pace: MinimumRate;
  /** Bytes that had left when it was looked at last. */
  left: number;
}

interface ReaderNotes {
  noteCut: (connections: number) => void;
  /** At each look, of each connection that is answered. */
  noteReader: (socket: Socket, isSlow: boolean) => void;
}

/**
 * Cuts connections whose reader takes too little of what waits for it, and tells of those that are slow. Time counts only while something waits, and a process that was held up
 * itself counts no more than two looks for one.
 */
export class SlowReaders {
  readonly #limits: StallLimits;
  #readers = new Map<Socket, Reader>();

  constructor(limits: StallLimits) {
    this.#limits = limits;
  }

  /** Looks after the connections that `answering` tells, again and again. Answers how to stop that. */
  watch(answering: () => Iterable<Socket>, { noteCut, noteReader }: ReaderNotes): () => void {
    const everyMs = Math.max(1, this.#limits.stallMs / looksWithinStall);
    let since = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const cut = this.#look(answering(), Math.min(now - since, 2 * everyMs), noteReader);
      since = now;
      if (cut > 0) noteCut(cut);
    }, everyMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** How many it has cut. */
  #look(answering: Iterable<Socket>, passedMs: number, noteReader: ReaderNotes['noteReader']): number {
    const cut: Socket[] = [];
    const before = this.#readers;
    this.#readers = new Map();
    for (const socket of answering) {
      // With nothing to read it starts afresh.
      if (socket.writableLength === 0) {
        noteReader(socket, false);
        continue;
      }
      const left = bytesThatLeft(socket);
      const known = before.get(socket);
      const reader = known ?? this.#newReader(left);
      for (const rate of [reader.rate, reader.pace]) {
        if (known) rate.noteWait(passedMs);
        rate.noteBytes(left - reader.left);
      }
      reader.left = left;
      noteReader(socket, reader.pace.leftMs <= 0);
      if (reader.rate.leftMs > 0) this.#readers.set(socket, reader);
      else cut.push(socket);
    }
    // At once, with what the system holds for its reader.
    for (const socket of cut) socket.resetAndDestroy();
    return cut.length;
  }

  #newReader(left: number): Reader {
    const { stallMs, bytesPerSecond } = this.#limits;
    const pace = { stallMs: stallMs * slowPart, bytesPerSecond: bytesPerSecond * slowTimes };
    return { rate: new MinimumRate(this.#limits), pace: new MinimumRate(pace), left };
  }
}

/** How much of a write under way has left is known to Node's handle alone; without it a large answer would look as if it stood still. */
function bytesThatLeft(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
  };
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = handle ?? {};
  return bytesWritten - writeQueueSize;
}
