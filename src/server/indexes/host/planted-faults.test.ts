import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import { buildPlantedThread } from '#server/testing/planted-thread.ts';
import { plainQuery } from '../search/query.ts';
import { EngineBusyError, QuarantinedError, SearchTimeoutError, ThreadEndedError } from './call-errors.ts';
import type { EngineHost } from './engine-host.ts';
import { IndexLostError } from './index-lost-error.ts';
import { packBatch } from './packed-batch.ts';
import type { SharedMemory, ThreadRequest } from './thread-messages.ts';
import { UpkeepMark } from './upkeep-mark.ts';
import { createWorkerHost } from './worker-host.ts';

const settings = { dimension: 2, metric: 'cosine' as const, fields: [] };
const long = 'steps without end';

let thread: Awaited<ReturnType<typeof buildPlantedThread>>;
let host: EngineHost;
let logged: string[];
/** The collections whose turns the thread was sent, in their order. */
let turns: number[];
/** With the thread that was started last. */
let shared: SharedMemory;

beforeAll(async () => {
  thread = await buildPlantedThread();
});
afterAll(() => thread.remove());
afterEach(() => host.stop());

const collection = (id: number) => ({ id, for: { tenant: `t${id}`, caller: 'c' } });
const open = (id: number) => host.call(collection(id), { call: 'open', settings, snapshot: null });
const search = (id: number, text = '*', signal?: AbortSignal) =>
  host.call(
    collection(id),
    { call: 'search', query: plainQuery(undefined, { text }), shown: {}, bytesMax: 1e6 },
    signal,
  );
const apply = (id: number, version: number, title = 'plain') =>
  host.call(collection(id), {
    call: 'apply',
    batch: packBatch({
      version,
      puts: [
        {
          id: 'a',
          source: JSON.stringify({ id: 'a', title }),
          vectors: new Float32Array(0),
          spans: new Int32Array(0),
        },
      ],
      deletes: [],
    }),
  });

/** Tried again while a busy machine lets it wait for longer than its budget. */
const expectAnswer = (id: number) => expect.poll(async () => (await search(id)).found).toBe(0);

async function startHost(limits: { budgetMs?: number }): Promise<void> {
  logged = [];
  turns = [];
  host = createWorkerHost({
    workers: 1,
    log: createLog('info', (line) => logged.push(line)),
    budgetMs: 60_000,
    startWorker: (memory) => {
      shared = memory;
      return notingTurns(thread.startWorker(memory));
    },
    ticker: thread.ticker,
    ...limits,
  });
  await open(1);
  await open(2);
}

function notingTurns(worker: Worker): Worker {
  const post = worker.postMessage.bind(worker);
  const collectionOf = new Map<number, number>();
  worker.postMessage = (message: ThreadRequest, memory) => {
    if ('request' in message) collectionOf.set(message.id, message.collectionId);
    if (!('isCancelled' in message)) turns.push(collectionOf.get(message.id) ?? 0);
    post(message, memory);
  };
  return worker;
}

describe('a search that takes long', () => {
  beforeEach(() => startHost({}));

  it("gives way to another tenant's search when its slice is over", async () => {
    const caller = new AbortController();
    const gone = search(1, long, caller.signal).catch(() => 'gone');
    for (let i = 0; i < 5; i += 1) {
      // Its first slice is at the thread already, and then whatever slice it is.
      const before = turns.length;
      await search(2);
      expect(turns.slice(before, turns.indexOf(2, before) + 1)).toEqual([2]);
    }
    caller.abort();
    expect(await gone).toBe('gone');
  });

  it("gives way before its slice is over when another tenant's search comes", async () => {
    const caller = new AbortController();
    const gone = search(1, 'steps until another wants its turn', caller.signal).catch(() => 'gone');
    for (let i = 0; i < 3; i += 1) expect((await search(2)).found).toBe(0);
    // One that is answered for a caller who has gone is wanted no more.
    const other = new AbortController();
    const left = search(2, '*', other.signal).catch(() => 'left');
    other.abort();
    expect(await left).toBe('left');
    expect((await search(2)).found).toBe(0);
    caller.abort();
    expect(await gone).toBe('gone');
  });

  it('leaves others their turns, and ends when its caller has gone', async () => {
    const caller = new AbortController();
    const gone = search(1, long, caller.signal).catch((error: unknown) => error);
    for (let version = 1; version <= 5; version += 1) {
      await apply(2, version);
      expect((await search(2)).found).toBe(1);
    }
    const behind = search(1);
    caller.abort(new Error('gone'));
    expect(await gone).toMatchObject({ message: 'gone' });
    expect((await behind).found).toBe(0);
  });

  it('keeps what is asked of its collection behind it, in order', async () => {
    const caller = new AbortController();
    const gone = search(1, long, caller.signal).catch(() => 'gone');
    const order: string[] = [];
    const then = (name: string) => () => {
      order.push(name);
    };
    // The first is sent to the thread at once, the others wait on this side.
    const behind = [
      apply(1, 1).then(then('1')),
      apply(1, 2).then(then('2')),
      apply(1, 3).then(then('3')),
      apply(1, 4).then(then('4')),
    ];
    for (let i = 0; i < 3; i += 1) await search(2);
    expect(order).toEqual([]);
    caller.abort();
    await Promise.all(behind);
    expect(await gone).toBe('gone');
    expect(order).toEqual(['1', '2', '3', '4']);
    expect((await search(1)).found).toBe(1);
  });

  it('is forgotten by whoever waits behind it and goes', async () => {
    const first = new AbortController();
    const second = new AbortController();
    const gone = [
      search(1, long, first.signal),
      search(1, long, second.signal),
      search(1, '*', second.signal),
    ];
    const outcomes = Promise.allSettled(gone);
    await search(2);
    second.abort();
    await search(2);
    first.abort();
    expect((await search(1)).found).toBe(0);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describe('a budget', () => {
  // On a busy machine a search that does nothing may take a while.
  const budgetMs = 1_000;
  beforeEach(() => startHost({ budgetMs }));

  /** In one turn, so that a busy machine lets it wait but once; asked again where that was too long. */
  async function dearSearch(): Promise<{ error: unknown; request: AbortController }> {
    for (;;) {
      const request = new AbortController();
      const searched = search(1, 'steps of more than a second', request.signal);
      const error = await searched.catch((thrown: unknown) => thrown);
      if (!(error instanceof EngineBusyError)) return { error, request };
    }
  }

  it('ends a search that computes longer, and says what took the time', async () => {
    const { error } = await dearSearch();
    expect(error).toBeInstanceOf(SearchTimeoutError);
    expect(error).toMatchObject({ part: 'filter', budgetMs });
    await expectAnswer(1);
  });

  it('is that of all searches of one request', async () => {
    const { request } = await dearSearch();
    await expect(search(2, '*', request.signal)).rejects.toThrow(SearchTimeoutError);
    await expectAnswer(2);
  });

  it('of waiting ends a search that others keep waiting', async () => {
    // A write may take as long as it does.
    const write = apply(1, 1, long).catch((error: unknown) => error);
    await expect(search(1)).rejects.toThrow(EngineBusyError);
    await expectAnswer(2);
    await host.stop();
    expect(await write).toBeInstanceOf(IndexLostError);
  });

  it('of waiting ends a search that was in the thread, behind a long step, when it was over', async () => {
    const write = apply(1, 1, 'steps of more than a second').catch((error: unknown) => error);
    // Both are sent at once; the search hears after a step of the write that it has to wait for the rest.
    await expect(search(1)).rejects.toThrow(EngineBusyError);
    await expectAnswer(2);
    await host.stop();
    expect(await write).toBeInstanceOf(IndexLostError);
  });
});

describe('a thread that does not come back', () => {
  beforeEach(() => startHost({}));

  it('is ended; its other collections are opened again, and the one that ends it twice is not', async () => {
    const ended = search(1, 'a step without end').catch((error: unknown) => error);
    const beside = search(2).catch((error: unknown) => error);
    expect(await ended).toBeInstanceOf(ThreadEndedError);
    expect(await beside).toBeInstanceOf(IndexLostError);
    expect(await beside).not.toBeInstanceOf(ThreadEndedError);
    await open(1);
    await open(2);
    await expect(apply(1, 1, 'a step without end')).rejects.toThrow(ThreadEndedError);
    await expect(open(1)).rejects.toThrow(QuarantinedError);
    await expect(search(1)).rejects.toThrow(QuarantinedError);
    await expect(apply(1, 1)).rejects.toThrow(QuarantinedError);
    await open(2);
    expect((await search(2)).found).toBe(0);
    host.release(1);
    await open(1);
    expect((await search(1)).found).toBe(0);
    expect(logged.filter((line) => line.includes('does not come back'))).toHaveLength(2);
    expect(logged.filter((line) => line.includes('rests until it is repaired'))).toHaveLength(1);
  });

  it('is not one that is at a long search', async () => {
    const caller = new AbortController();
    const gone = search(1, long, caller.signal).catch(() => 'gone');
    for (let i = 0; i < 30; i += 1) {
      await search(2);
      thread.tick();
    }
    caller.abort();
    expect(await gone).toBe('gone');
    expect(logged).toEqual([]);
  });
});

describe('upkeep between calls', () => {
  beforeEach(() => startHost({}));

  const rests = async () => {
    const error = await search(1).catch((thrown: unknown) => thrown);
    return error instanceof QuarantinedError;
  };

  it('that does not come back is blamed, and not the call of another collection that waits for it', async () => {
    for (let round = 1; round <= 2; round += 1) {
      await apply(1, 1, 'upkeep for ever');
      await expect.poll(() => new UpkeepMark(shared.upkeep).collectionId).toBe(1);
      const beside = search(2).catch((error: unknown) => error);
      for (let ticks = 0; ticks <= 10; ticks += 1) thread.tick();
      expect(await beside).toBeInstanceOf(IndexLostError);
      expect(await beside).not.toBeInstanceOf(ThreadEndedError);
      expect(await rests()).toBe(round === 2);
      if (round === 1) await open(1);
      await open(2);
    }
    expect((await search(2)).found).toBe(0);
    expect(logged.filter((line) => line.includes('"isUpkeep":true'))).toHaveLength(2);
  });

  it('is blamed too where no call was at work', async () => {
    for (let round = 1; round <= 2; round += 1) {
      await apply(1, 1, 'upkeep that takes all memory');
      await expect
        .poll(() => logged.filter((line) => line.includes('engine thread ended')))
        .toHaveLength(round);
      expect(await rests()).toBe(round === 2);
      if (round === 1) await open(1);
    }
    await open(2);
    expect((await search(2)).found).toBe(0);
  });
});

it('a thread without memory ends for the call that took it', async () => {
  await startHost({});
  const ended = search(1, 'memory without end').catch((error: unknown) => error);
  const beside = search(2).catch((error: unknown) => error);
  expect(await ended).toBeInstanceOf(ThreadEndedError);
  expect(await beside).toBeInstanceOf(IndexLostError);
  await open(2);
  expect((await search(2)).found).toBe(0);
});
