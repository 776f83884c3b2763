import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { administer, databases, freshDatabase } from '#server/testing/databases.ts';
import { boundPool, type PoolOf } from './bound-pool.ts';
import { ConnectionTurns, type Use } from './connection-turns.ts';
import { createDriver } from './driver.ts';
import { SilenceWatch } from './silence-watch.ts';

describe.each(databases)('ten connections, %s', (kind) => {
  const log = createLog('silent');
  let url: string;
  let driver: Sql;
  let poolOf: PoolOf;
  let cleanup: () => Promise<void>;
  beforeEach(async () => {
    const database = await freshDatabase(kind, { isEmpty: true });
    url = database.settings.databaseUrl ?? '';
    driver = createDriver({ target: { url }, max: 10, log });
    const watch = new SilenceWatch({ waitMs: 3_600_000, statementMs: 3_600_000 }, log);
    watch.start(async () => undefined);
    // The clock stands, so that who had a turn longest ago is next.
    poolOf = boundPool(driver, watch, new ConnectionTurns(driver.options.max, () => 0));
    cleanup = async () => {
      await driver.end({ timeout: 0 });
      await database.cleanup();
    };
  });
  afterEach(() => cleanup());

  const isOf = (name: string) => `%pg_sleep(3600) /* ${name} */%`;
  /** So many statements that last until they are woken. */
  function sleep(name: string, count: number, { isBulk = false } = {}): void {
    const { sql, bulk } = poolOf(name);
    const way = isBulk ? bulk : sql;
    for (let i = 0; i < count; i += 1)
      way.unsafe(`select pg_sleep(3600) /* ${name} */`).catch(() => undefined);
  }
  const sleeping = async (...names: string[]) =>
    administer(url, async (other) => {
      const rows = await other<{ query: string }[]>`
        select query from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      return names.map((name) => rows.filter(({ query }) => query.includes(`/* ${name} */`)).length);
    });
  const wake = (name: string, count: number) =>
    administer(
      url,
      (other) => other`
        select pg_cancel_backend(pid) from (select pid from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep' and query like ${isOf(name)}
          limit ${count}) asleep`,
    );
  test('one that has all to itself leaves two to whoever comes, and makes room for another one that wants as many', async () => {
    sleep('A', 20);
    await expect.poll(() => sleeping('A')).toEqual([8]);
    expect(await poolOf('B').sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await sleeping('A')).toEqual([8]);
    sleep('B', 20);
    await expect.poll(() => sleeping('A', 'B')).toEqual([8, 1]);
    for (const [a, b] of [
      [7, 1],
      [6, 2],
      [5, 3],
    ]) {
      await wake('A', 1);
      await expect.poll(() => sleeping('A', 'B')).toEqual([a, b]);
    }
    await wake('A', 2);
    await expect.poll(() => sleeping('A', 'B')).toEqual([4, 4]);
  });

  test('two that want as many as they can get leave one each to the next two, whatever theirs wait for', async () => {
    for (const name of ['A', 'B']) sleep(name, 20);
    await expect.poll(() => sleeping('A', 'B')).toEqual([8, 1]);
    sleep('C', 20);
    await expect.poll(() => sleeping('A', 'B', 'C')).toEqual([8, 1, 1]);
    // Whoever has none is next, though all others have waited longer.
    sleep('D', 1);
    await wake('A', 1);
    await expect.poll(() => sleeping('A', 'B', 'C', 'D')).toEqual([7, 1, 1, 1]);
    await wake('D', 1);
    await expect.poll(() => sleeping('A', 'B', 'C', 'D')).toEqual([7, 1, 1, 0]);
    expect(await poolOf('E').sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('bulk statements of all have half, and the others of who sends them go on', async () => {
    sleep('A', 10, { isBulk: true });
    sleep('B', 10, { isBulk: true });
    await expect.poll(() => sleeping('A', 'B')).toEqual([5, 0]);
    expect(await poolOf('B').sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await poolOf('A').sql`select 1 as one`).toEqual([{ one: 1 }]);
    await wake('A', 2);
    await expect.poll(() => sleeping('A', 'B')).toEqual([4, 1]);
  });

  test('names have turns by turns, and each its own in the order in which it asked', async () => {
    for (const name of ['A', 'B']) sleep(name, 4);
    await expect.poll(() => sleeping('A', 'B')).toEqual([4, 4]);
    const sent: string[] = [];
    driver.options.debug = (_, text) => sent.push(text);
    const ask = (name: string, i: number) => poolOf(name).sql.unsafe(`select '${name}${i}' as text`);
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    const ofA = Promise.all(numbers.map((i) => ask('A', i)));
    const ofC = Promise.all(numbers.slice(0, 4).map((i) => ask('C', i)));
    await ofC;
    await wake('B', 1);
    await ofA;
    const turns = sent.flatMap((text) => /'([AC])\d+'/.exec(text)?.[0]?.slice(1, -1) ?? []);
    // Of what is left only who has none gets any.
    expect(turns.slice(0, 4)).toEqual(['C0', 'C1', 'C2', 'C3']);
    expect(turns.slice(4)).toEqual(numbers.map((i) => `A${i}`));
  });
});

const connections = 10;

/** Turns whose uses end when the test says so, on a clock of its own. */
function simulate() {
  let time = 0;
  const turns = new ConnectionTurns(connections, () => time);
  const running: Use[] = [];
  const waiting: Use[] = [];
  const of = (uses: Use[], name: string) => uses.filter((use) => use.name === name).length;
  const add = (name: string, isBulk: boolean, onBegin: (use: Use) => void = () => undefined): Use => {
    const use: Use = {
      name,
      isBulk,
      begin: () => {
        waiting.splice(waiting.indexOf(use), 1);
        running.push(use);
        onBegin(use);
      },
    };
    waiting.push(use);
    turns.add(use);
    return use;
  };
  const end = (use: Use, afterMs: number) => {
    time += afterMs;
    const uses = running.includes(use) ? running : waiting;
    uses.splice(uses.indexOf(use), 1);
    turns.remove(use);
  };
  return { add, end, running, waiting, of };
}

describe('turns at connections', () => {
  const step = fc.record({
    name: fc.constantFrom('A', 'B', 'C', 'D'),
    isBulk: fc.boolean(),
    // Fewer end than come, so that all are in use soon.
    ends: fc.nat(1),
    at: fc.nat(1_000),
    afterMs: fc.integer({ min: 0, max: 50 }),
  });

  it('are within all bounds at each moment, and nobody waits for what is free', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const { add, end, running, waiting, of } = simulate();
        const mayHave = (use: Use) => {
          const bulk = running.filter(({ isBulk }) => isBulk).length;
          const free = connections - running.length;
          return free > 0 && !(use.isBulk && bulk >= 5) && (of(running, use.name) === 0 || free > 2);
        };
        const check = () => {
          expect(running.length).toBeLessThanOrEqual(connections);
          expect(running.filter(({ isBulk }) => isBulk).length).toBeLessThanOrEqual(5);
          expect(waiting.filter(mayHave)).toEqual([]);
          for (const name of 'ABCD') expect(of(running, name)).toBeLessThanOrEqual(8);
        };
        for (const { name, isBulk, ends, at, afterMs } of steps) {
          add(name, isBulk, (use) => {
            // The last two are for those that have none.
            if (running.length > 8) expect(of(running, use.name)).toBe(1);
            // Beyond its half only what nobody wants who has less.
            if (of(running, use.name) <= 5) return;
            const others = waiting.filter((other) => other.name !== use.name && of(running, other.name) < 5);
            expect(others.filter((other) => !other.isBulk)).toEqual([]);
          });
          check();
          for (let i = 0; i < ends; i += 1) {
            const all = [...running, ...waiting];
            const ended = all[at % Math.max(1, all.length)];
            if (ended) end(ended, afterMs);
            check();
          }
        }
        for (let [use] = running; use; [use] = running) end(use, 1);
        expect(waiting).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('come in the order of asking to each that asks', () => {
    const { add, end, running } = simulate();
    const begun: number[] = [];
    for (let i = 0; i < 100; i += 1) add('A', i % 3 === 0, () => begun.push(i));
    for (let [use] = running; use; [use] = running) end(use, 1);
    const order = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    for (const rest of [[0], [1, 2]]) {
      const own = begun.filter((i) => rest.includes(i % 3));
      expect(own).toEqual(order(own));
    }
    expect(order(begun)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('are shared by the time for which they last', () => {
    const { add, end, running } = simulate();
    const cost: Record<string, number> = { dear: 40, cheap: 2 };
    const had: Record<string, number> = { dear: 0, cheap: 0 };
    // All but one connection are others'.
    for (const name of ['X', 'X', 'X', 'X', 'X', 'Y', 'Y', 'Y', 'Z']) add(name, false);
    for (const name of ['dear', 'cheap']) for (let i = 0; i < 400; i += 1) add(name, false);
    for (let turn = 0; turn < 400; turn += 1) {
      const use = running.find(({ name }) => name in cost);
      if (!use) break;
      had[use.name] = (had[use.name] ?? 0) + (cost[use.name] ?? 0);
      end(use, cost[use.name] ?? 0);
    }
    expect(Math.abs((had['dear'] ?? 0) - (had['cheap'] ?? 0))).toBeLessThanOrEqual(40);
  });
});
