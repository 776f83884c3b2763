import { describe, expect, test } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

const requester = (tenant: string) => ({ tenant, caller: 'c' });

/** Counts the turns of the event loop until it is told to stop. */
function countTurns() {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    get turns() {
      return turns;
    },
    stop: () => {
      isOver = true;
    },
  };
}

describe('turns of the event loop', () => {
  test('are used by one piece of work each, however many wait', async () => {
    const turns = new LoopTurns();
    const loop = countTurns();
    const seen: number[] = [];
    const works = Array.from({ length: 20 }, async (_, i) => {
      for (let piece = 0; piece < 5; piece += 1) {
        await turns.next(requester(String(i % 4)));
        seen.push(loop.turns);
      }
    });
    await Promise.all(works);
    loop.stop();
    expect(seen).toHaveLength(100);
    expect(new Set(seen).size).toBe(100);
  });

  test('go round the tenants, however much one of them has to do', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    const ask = (tenant: string) => turns.next(requester(tenant)).then(() => order.push(tenant));
    const greedy = Array.from({ length: 50 }, () => ask('greedy'));
    await Promise.all([...greedy, ask('modest'), ask('modest')]);
    expect(order.slice(0, 6).filter((tenant) => tenant === 'modest')).toHaveLength(2);
    expect(order).toHaveLength(52);
  });
});
