import { afterEach, expect, it, vi } from 'vitest';
import type { Steps } from '#server/engine/steps.ts';
import { plainQuery } from '../search/query.ts';
import { CallSlices } from './call-slices.ts';
import { EngineCallHandler } from './engine-call-handler.ts';
import type { EngineRequest } from './engine-calls.ts';
import { packBatch } from './packed-batch.ts';
import { Preemption } from './preemption.ts';
import type { Outcome } from './thread-messages.ts';

const settings = { dimension: 2, metric: 'cosine' as const, fields: [] };

const put = (version: number, text: string): EngineRequest => ({
  call: 'apply',
  batch: packBatch({
    version,
    puts: [
      {
        id: 'a',
        source: JSON.stringify({ id: 'a', text }),
        vectors: new Float32Array(0),
        spans: new Int32Array(0),
      },
    ],
    deletes: [],
  }),
});

const search = (text: string): EngineRequest => ({
  call: 'search',
  query: plainQuery(undefined, { text }),
  shown: {},
  bytesMax: 1e6,
});

/** Words by the ten thousand: a good many slices. */
const large = Array.from({ length: 60_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7_919) % 20_000)));

function resultOf(outcome: Outcome | null): unknown {
  if (outcome === null || !('value' in outcome)) throw new Error('the call is not over');
  return outcome.value;
}

it('lets other collections in between the slices of a write, and its own reads when all of it is there', () => {
  const slices = new CallSlices(new EngineCallHandler());
  let lastId = 0;
  const begin = (collectionId: number, request: EngineRequest) => {
    lastId += 1;
    return { id: lastId, outcome: slices.take({ id: lastId, collectionId, request }) };
  };
  const run = (collectionId: number, request: EngineRequest) => {
    let { id, outcome } = begin(collectionId, request);
    while (outcome !== null && 'pausedAt' in outcome) outcome = slices.take({ id, goesOn: true });
    return resultOf(outcome);
  };
  for (const collectionId of [1, 2]) {
    run(collectionId, { call: 'open', settings, snapshot: null });
    run(collectionId, put(1, 'before'));
  }

  const write = begin(1, put(2, `${large.join('')} after`));
  const read = begin(1, search('before'));
  expect(read.outcome).toEqual({ waits: true });
  let between = 0;
  let { outcome } = write;
  while (outcome !== null && 'pausedAt' in outcome) {
    expect(run(2, search('before'))).toMatchObject({ found: 1 });
    between += 1;
    outcome = slices.take({ id: write.id, goesOn: true });
  }
  expect(resultOf(outcome)).toMatchObject({ version: 2, documentCount: 1 });
  expect(between).toBeGreaterThan(2);
  expect(resultOf(slices.take({ id: read.id, goesOn: true }))).toMatchObject({ found: 0 });
  expect(run(1, search('after'))).toMatchObject({ found: 1 });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('ends a slice after eight milliseconds, and after two, or one of a call that goes on, where another call wants its turn', () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  let done = 0;
  function* halfMilliseconds(): Steps<never> {
    for (;;) {
      time += 0.5;
      done += 1;
      yield;
    }
  }
  const start: EngineCallHandler['start'] = () => halfMilliseconds();
  const preemption = new Preemption();
  const slices = new CallSlices({ start }, preemption);
  const stepsOf = (message: Parameters<CallSlices['take']>[0]) => {
    const before = done;
    expect(slices.take(message)).toEqual({ pausedAt: null });
    return done - before;
  };
  const request = search('any');
  expect(stepsOf({ id: 1, collectionId: 1, request })).toBe(16);
  preemption.request(2);
  expect(stepsOf({ id: 1, goesOn: true })).toBe(2);
  expect(stepsOf({ id: 1, goesOn: true })).toBe(2);
  // The one that wants it has it, for as long as any.
  expect(stepsOf({ id: 2, collectionId: 2, request })).toBe(16);
  expect(stepsOf({ id: 1, goesOn: true })).toBe(16);
  preemption.request(4);
  expect(stepsOf({ id: 3, collectionId: 3, request })).toBe(4);
  expect(stepsOf({ id: 3, goesOn: true })).toBe(2);
});
