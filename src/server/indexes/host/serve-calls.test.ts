import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import type { Steps } from '#server/engine/steps.ts';
import { plainQuery } from '../search/query.ts';
import { EngineCallHandler } from './engine-call-handler.ts';
import type { EngineReply } from './engine-calls.ts';
import { Preemption } from './preemption.ts';
import { serveCalls } from './serve-calls.ts';
import { UpkeepTurns } from './upkeep-turns.ts';

const { port1: host, port2: thread } = new MessageChannel();

afterEach(() => host.close());

/** An index that has so many pieces of work left. */
const unsettled = (pieces: number) => {
  let left = pieces;
  return {
    upkeep: () => {
      left -= 1;
      return left > 0;
    },
    get left() {
      return left;
    },
  };
};

it('does what indexes have to do while no call has begun, and one index after the other', async () => {
  const indexes = [unsettled(40), unsettled(60)];
  const turns = new UpkeepTurns();
  turns.add(0);
  turns.add(1);
  const orders: number[] = [];
  const atWork = { isPaused: false, upkeepWhilePaused: 0 };
  const real = new EngineCallHandler();
  const start: typeof real.start = (collectionId, request, progress) => {
    if (request.call === 'stats') return real.start(collectionId, request, progress);
    const endless = function* (): Steps<EngineReply> {
      for (;;) {
        atWork.isPaused = true;
        yield;
      }
    };
    return endless() as ReturnType<typeof real.start<typeof request.call>>;
  };
  const upkeep = () => {
    if (atWork.isPaused) atWork.upkeepWhilePaused += 1;
    return turns.run((id) => {
      orders.push(id);
      return indexes[id];
    });
  };
  const answers: object[] = [];
  host.on('message', (answer: object) => answers.push(answer));
  serveCalls(thread, { start, upkeep }, new Preemption());

  const query = plainQuery(undefined, { text: 'long' });
  host.postMessage({
    id: 1,
    collectionId: 7,
    request: { call: 'search', query, shown: {}, bytesMax: 1 },
  });
  await expect.poll(() => answers).toContainEqual(expect.objectContaining({ id: 1, pausedAt: null }));
  expect([orders.length, atWork.upkeepWhilePaused]).toEqual([0, 0]);

  atWork.isPaused = false;
  host.postMessage({ id: 1, isCancelled: true });
  // Its index is not there: that is an answer as good as any.
  host.postMessage({ id: 2, collectionId: 8, request: { call: 'stats' } });
  await expect.poll(() => indexes.map(({ left }) => left)).toEqual([0, 0]);
  expect(orders.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
  expect(answers).toContainEqual(expect.objectContaining({ id: 2, lost: true }));
});
