import { expect, test } from 'vitest';
import { LoopTurns } from '#server/admission/loop-turns.ts';
import { chunksInTurns } from './chunks-in-turns.ts';
import { type RowFormat, splitRows } from './split-rows.ts';
import { UploadMeter } from './upload-meter.ts';

const linesOfChunk = 300;
const line = 'd,"a quiet garden"\n';
const uploads = 8;
const chunksOfEach = 3;

/** Whoever waits for a chunk gets one in the same moment, as after one look at all sockets. */
class Senders {
  #waiting: (() => void)[] = [];

  async *upload(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < chunksOfEach; i += 1) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      yield Buffer.from(line.repeat(linesOfChunk));
    }
  }

  send(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

test.each<[string, RowFormat]>([
  ['tables', { table: {}, charset: null }],
  ['lines', 'lines'],
])('of %s that arrive at once a turn of the event loop has no more than one chunk', async (_, format) => {
  const loop = new LoopTurns();
  const senders = new Senders();
  /** By turn of the event loop: whose rows were read. */
  const readIn: Set<number>[] = [];
  let isOver = false;
  const nextTurn = () => {
    readIn.push(new Set());
    senders.send();
    if (!isOver) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  await Promise.all(
    Array.from({ length: uploads }, async (_, i) => {
      const turn = () => loop.next({ tenant: `${i % 3}`, caller: `${i}` });
      const chunks = chunksInTurns(senders.upload(), turn);
      for await (const _row of splitRows(chunks, format, new UploadMeter())) readIn.at(-1)?.add(i);
    }),
  );
  isOver = true;
  const busy = readIn.filter((readers) => readers.size > 0);
  expect(Math.max(...busy.map((readers) => readers.size))).toBe(1);
  expect(busy.length).toBeGreaterThanOrEqual(uploads * chunksOfEach);
});
