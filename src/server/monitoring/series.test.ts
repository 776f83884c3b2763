import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import type { MonitoringRange } from '#shared/monitoring.ts';
import { HostSeries } from './host-series.ts';
import { readMonitoring } from './read-monitoring.ts';
import { RequestSeries } from './request-series.ts';
import { rollUp } from './roll-up.ts';

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
afterAll(() => close());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const log = createLog('silent');

async function makeWorkspace(): Promise<number> {
  const [made] = await record.sql<{ id: string }[]>`
    insert into workspaces (name, slug) values ('w', 'w') returning id`;
  return Number(made?.id);
}

/** Servers that share the record and the clock; those of other tests' machines are gone. */
async function open(names = ['one']) {
  await record.sql`delete from host_series`;
  const time = fakeClock(new Date('2026-06-15T10:07:30Z'));
  const workspaceId = await makeWorkspace();
  const start = (server: string) => ({
    requests: new RequestSeries({ record, log, clock: time.clock }),
    host: new HostSeries({
      record,
      log,
      clock: time.clock,
      dataDir: '/',
      server,
      countConnections: () => ({ all: 5, live: 2 }),
    }),
  });
  const servers = names.map(start);
  const [first] = servers;
  if (!first) throw new Error('no server');
  const read = (range: MonitoringRange, server = first) =>
    readMonitoring(server, record.db, { workspaceId, range, now: time.clock() });
  return { ...first, servers, time, workspaceId, start, read };
}

async function stop({ requests, host }: { requests: RequestSeries; host: HostSeries }): Promise<void> {
  await requests.stop();
  await host.stop();
}

test('requests are told by minute before they are written, after, and by a server that was started anew', async () => {
  const { requests, host, workspaceId, read, start, time } = await open();
  const note = (status: number, ms: number | null) => requests.note({ workspaceId, status, ms });
  for (const ms of [1, 2, 3, 4, 100]) note(200, ms);
  note(404, 1);
  time.pass(minuteMs);
  note(503, 1_000);
  note(200, null);

  const expected = { requests: 8, clientErrors: 1, serverErrors: 1 };
  const pending = await read('1h');
  expect(pending.totals).toMatchObject(expected);
  expect(pending.points).toHaveLength(60);
  expect(pending.points.slice(-2)).toMatchObject([
    { at: '2026-06-15T10:07:00.000Z', requests: 6, clientErrors: 1, serverErrors: 0 },
    { at: '2026-06-15T10:08:00.000Z', requests: 2, clientErrors: 0, serverErrors: 1 },
  ]);
  const { p50, p95, p99 } = pending.totals;
  expect(p50).toBeCloseTo(3, 0);
  expect(p95).toBeGreaterThan(940);
  expect(p99).toBe(p95);
  expect(pending.points[0]).toMatchObject({ requests: 0, p50: null, cpu: null, minutes: 0 });

  await requests.flush();
  expect((await read('1h')).totals).toEqual(pending.totals);
  await stop({ requests, host });
  const anew = start('one');
  expect((await read('1h', anew)).totals).toEqual(pending.totals);
  await stop(anew);
});

test('two servers on one record add up; neither tells what the other has not written yet', async () => {
  const { servers, workspaceId, read } = await open(['one', 'two']);
  for (const { requests } of servers) {
    requests.note({ workspaceId, status: 200, ms: 10 });
    await requests.flush();
  }
  const [one, two] = servers;
  if (!one || !two) throw new Error('two servers were asked for');
  expect((await read('24h', one)).totals).toMatchObject({
    requests: 2,
    p50: (await read('24h', two)).totals.p50,
  });
  await Promise.all(servers.map(stop));
});

test('what another workspace was asked is not told', async () => {
  const { requests, host, read } = await open();
  requests.note({ workspaceId: await makeWorkspace(), status: 200, ms: 1 });
  expect((await read('24h')).totals.requests).toBe(0);
  await requests.flush();
  expect((await read('24h')).totals.requests).toBe(0);
  await stop({ requests, host });
});

test('what is rolled up stays true: in every range, again and again, and for what comes late', async () => {
  const { requests, host, workspaceId, read, time } = await open();
  const late = new RequestSeries({ record, log, clock: () => new Date('2026-06-15T10:30:00Z') });
  for (let i = 0; i < 20; i += 1) {
    requests.note({ workspaceId, status: i % 10 === 0 ? 500 : 200, ms: 2 ** (i % 5) });
    time.pass(17 * minuteMs);
  }
  await requests.flush();
  const grains = async () => {
    const rows = await record.sql`
      select grain, sum(requests)::integer as requests, count(*)::integer as rows
      from request_series where workspace_id = ${workspaceId} group by grain order by grain`;
    return rows.map(({ grain, requests: all, rows: count }) => [grain, all, count]);
  };
  const fresh = await read('7d');
  expect(fresh.totals).toMatchObject({ requests: 20, serverErrors: 2 });

  time.pass(3 * dayMs);
  await rollUp({ record, clock: time.clock });
  expect(await grains()).toEqual([['hour', 20, 6]]);
  expect((await read('7d')).totals).toMatchObject({ ...fresh.totals, minutes: 0, minutesUp: 0 });

  late.note({ workspaceId, status: 200, ms: 2 ** 4 });
  await late.flush();
  expect((await read('7d')).totals.requests).toBe(21);
  await rollUp({ record, clock: time.clock });
  await rollUp({ record, clock: time.clock });
  expect(await grains()).toEqual([['hour', 21, 6]]);

  time.pass(16 * dayMs);
  await rollUp({ record, clock: time.clock });
  expect(await grains()).toEqual([['day', 21, 1]]);
  const month = await read('30d');
  expect(month.totals).toMatchObject({ requests: 21, serverErrors: 2, p50: fresh.totals.p50 });
  expect(month.points.filter((point) => point.requests > 0).map(({ at }) => at)).toEqual([
    '2026-06-15T00:00:00.000Z',
  ]);
  expect((await read('7d')).totals.requests).toBe(0);
  await stop({ requests, host });
  await late.stop();
});

test('the time before is told beside it', async () => {
  const { requests, host, workspaceId, read, time } = await open();
  requests.note({ workspaceId, status: 200, ms: 5 });
  requests.note({ workspaceId, status: 400, ms: 5 });
  time.pass(dayMs + hourMs);
  requests.note({ workspaceId, status: 200, ms: 5 });
  const { totals, before } = await read('24h');
  expect([totals.requests, before.requests, before.clientErrors]).toEqual([1, 2, 1]);
  await stop({ requests, host });
});

test('the machine is measured, and a minute without a server is told as one', async () => {
  const { requests, host, read, time, start } = await open();
  await host.sample();
  time.pass(minuteMs / 2);
  await host.sample();
  await host.flush();
  // The same minute in a second batch.
  time.pass(10_000);
  await host.sample();
  time.pass(80_000);
  await host.sample();
  const { now, totals, points } = await read('1h');
  expect(now.memory.used).toBeGreaterThan(0);
  expect(now.memory.used).toBeLessThan(now.memory.total);
  expect(now.disk?.used).toBeGreaterThan(0);
  expect(now.processors).toBeGreaterThan(0);
  expect(now).toMatchObject({ apiConnections: 3, liveConnections: 2, startedAt: '2026-06-15T10:07:30.000Z' });
  expect(totals).toMatchObject({ minutesUp: 3, minutes: 3 });
  expect(points.at(-1)).toMatchObject({ apiConnections: 3, liveConnections: 2, minutesUp: 1, minutes: 1 });
  expect(points.at(-1)?.memory).toBeCloseTo(now.memory.used / now.memory.total, 1);
  await host.stop();

  time.pass(10 * minuteMs);
  const anew = start('two');
  await anew.host.sample();
  time.pass(minuteMs / 2);
  const down = await read('1h', anew);
  expect(down.totals).toMatchObject({ minutesUp: 4, minutes: 13 });
  expect((await read('24h', anew)).totals).toMatchObject({ minutesUp: 4, minutes: 13 });
  await anew.host.flush();

  time.pass(3 * dayMs);
  await rollUp({ record, clock: time.clock });
  const [row] = await record.sql`select grain, minutes_up from host_series where server = 'one'`;
  expect(row).toEqual({ grain: 'hour', minutes_up: 3 });
  await stop(anew);
  await requests.stop();
});
