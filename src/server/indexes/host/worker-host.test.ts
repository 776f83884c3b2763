import { getEventListeners, once, setMaxListeners } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import { plainQuery } from '../search/query.ts';
import type { EngineHost } from './engine-host.ts';
import { IndexLostError } from './index-lost-error.ts';
import { packBatch } from './packed-batch.ts';
import type { SharedMemory, ThreadRequest } from './thread-messages.ts';
import { createWorkerHost, startEngineWorker } from './worker-host.ts';

const settings = { dimension: 2, metric: 'cosine', fields: [] } as const;
const collection = { id: 7, for: { tenant: 't', caller: 'c' } };
const searchRequest = { call: 'search', query: plainQuery(undefined, {}), shown: {}, bytesMax: 1e6 } as const;

/** A host with one real thread, and what was sent to it. */
describe('a thread', () => {
  let host: EngineHost;
  let sent: string[];
  /** The collections that the calls were for. */
  let sentTo: number[];
  let worker: Worker;
  let logged: string[];

  beforeEach(async () => {
    sent = [];
    sentTo = [];
    const startWorker = (shared: SharedMemory) => {
      worker = startEngineWorker(shared);
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: ThreadRequest, memory) => {
        if ('request' in message) {
          sent.push(message.request.call);
          sentTo.push(message.collectionId);
        }
        post(message, memory);
      };
      return worker;
    };
    logged = [];
    host = createWorkerHost({
      workers: 1,
      log: createLog('debug', (line) => logged.push(line)),
      budgetMs: 60_000,
      startWorker,
    });
    await host.call(collection, { call: 'open', settings: { ...settings, fields: [] }, snapshot: null });
    sent.length = 0;
    sentTo.length = 0;
  });
  afterEach(() => host.stop());

  const apply = (version: number, id: string) => {
    const put = {
      id,
      source: JSON.stringify({ id }),
      vectors: new Float32Array(0),
      spans: new Int32Array(0),
    };
    return host.call(collection, {
      call: 'apply',
      batch: packBatch({ version, puts: [put], deletes: [] }),
    });
  };
  const search = (signal?: AbortSignal) => host.call(collection, searchRequest, signal);

  it('is never reached by searches whose callers have gone', async () => {
    const busy = [apply(1, 'a'), apply(2, 'b')];
    const caller = new AbortController();
    // As a request's signal does, it has a listener for each of its searches.
    setMaxListeners(0, caller.signal);
    const searches = Array.from({ length: 20 }, () => search(caller.signal));
    const outcomes = Promise.allSettled(searches);
    caller.abort(new Error('gone'));
    const last = await search();
    await Promise.all(busy);
    expect(last.found).toBe(2);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    }
    expect(sent.filter((call) => call === 'search')).toHaveLength(1);
    await expect(search(caller.signal)).rejects.toThrow('gone');
    expect(sent.filter((call) => call === 'search')).toHaveLength(1);
  });

  it('lets a caller go whose search it is already at', async () => {
    const caller = new AbortController();
    const searching = search(caller.signal);
    expect(sent).toEqual(['search']);
    caller.abort(new Error('gone'));
    await expect(searching).rejects.toThrow('gone');
    expect((await search()).found).toBe(0);
  });

  it('leaves nothing at a signal that lasts longer than its calls', async () => {
    const { signal } = new AbortController();
    await Promise.all([search(signal), search(signal), search(signal)]);
    const failing = host.call({ ...collection, id: 1 }, searchRequest, signal);
    await expect(failing).rejects.toThrow(IndexLostError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is sent changes in their order, and searches before those that wait', async () => {
    const changes = [1, 2, 3, 4, 5].map((version) => apply(version, `d${version}`));
    const searches = [search(), search()];
    const stats = await Promise.all(changes);
    expect(stats.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    const [first, second] = await Promise.all(searches);
    expect(first?.found).toBe(2);
    // A busy machine may charge the first search so much that a change comes before the second.
    expect(second?.found).toBeGreaterThanOrEqual(2);
    expect(sent.slice(0, 3)).toEqual(['apply', 'apply', 'search']);
    expect(sent).toHaveLength(7);
  });

  it("is sent another tenant's search next, however many of one tenant wait", async () => {
    const other = { id: 8, for: { tenant: 'other', caller: 'c' } };
    await host.call(other, { call: 'open', settings: { ...settings, fields: [] }, snapshot: null });
    sentTo.length = 0;
    const many = Array.from({ length: 200 }, () => search());
    const one = host.call(other, searchRequest);
    await Promise.all([...many, one]);
    // Two were under way already.
    expect(sentTo.slice(0, 4)).toEqual([7, 7, 8, 7]);
    expect(sentTo).toHaveLength(201);
  });

  it('takes all its calls along when it dies, sent or waiting, and starts anew on the next', async () => {
    const searches = Array.from({ length: 5 }, () => search());
    await worker.terminate();
    const outcomes = await Promise.allSettled(searches);
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    // Those that were answered before the end are no loss; what waited here cannot have been.
    expect(lost.length).toBeGreaterThanOrEqual(3);
    for (const reason of lost) expect(reason).toBeInstanceOf(IndexLostError);
    await expect(search()).rejects.toThrow(IndexLostError);
    await host.call(collection, { call: 'open', settings: { ...settings, fields: [] }, snapshot: null });
    expect((await search()).found).toBe(0);
    expect(logged).toEqual([expect.stringContaining('engine thread ended')]);
  });

  it('is stopped without a word', async () => {
    const exited = once(worker, 'exit');
    await host.stop();
    await exited;
    expect(logged).toEqual([]);
  });
});

it('spreads collections over its threads, and asks each where it was opened', async () => {
  const sentTo: Set<number>[] = [];
  const startWorker = (shared: SharedMemory) => {
    const worker = startEngineWorker(shared);
    const ids = new Set<number>();
    sentTo.push(ids);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: ThreadRequest, memory) => {
      if ('request' in message) ids.add(message.collectionId);
      post(message, memory);
    };
    return worker;
  };
  const spread = createWorkerHost({ workers: 2, log: createLog('silent'), budgetMs: 60_000, startWorker });
  try {
    const ids = [2, 4, 6, 8];
    for (const id of ids) {
      await spread.call(
        { ...collection, id },
        { call: 'open', settings: { ...settings, fields: [] }, snapshot: null },
      );
    }
    for (const id of ids)
      expect(await spread.call({ ...collection, id }, { call: 'stats' })).toMatchObject({ version: 0 });
    expect(sentTo.map((sent) => sent.size)).toEqual([2, 2]);
    await spread.call({ ...collection, id: 2 }, { call: 'close' });
    await expect(spread.call({ ...collection, id: 2 }, { call: 'stats' })).rejects.toThrow(IndexLostError);
  } finally {
    await spread.stop();
  }
});
