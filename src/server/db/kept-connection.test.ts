import { EventEmitter, once } from 'node:events';
import type { Sql } from 'postgres';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '#server/log.ts';
import { administer, databases, freshDatabase } from '#server/testing/databases.ts';
import { type KeptConnection, keepConnection } from './kept-connection.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(databases)('a kept connection, %s', (kind) => {
  async function keep(establish: (sql: Sql) => Promise<boolean>) {
    const { settings, cleanup } = await freshDatabase(kind, { isEmpty: true });
    const url = settings.databaseUrl ?? '';
    const happened: string[] = [];
    const connection: KeptConnection = keepConnection({
      target: { url },
      log: createLog('silent'),
      establish,
      onLost: () => happened.push(connection.isUp() ? 'lost late' : 'lost'),
      onRegained: () => happened.push(connection.isUp() ? 'regained late' : 'regained'),
    });
    cleanups.push(cleanup, () => connection.close());
    return { connection, happened, url };
  }
  const pidOf = async ({ sql }: KeptConnection) => {
    const [row] = await sql`select pg_backend_pid() as pid`;
    return Number(row?.['pid']);
  };

  test('lost, it is opened and established again before it counts as up', async () => {
    let established = 0;
    const { connection, happened, url } = await keep(async (sql) => {
      await sql`select 1`;
      established += 1;
      // The first try after the loss does not succeed.
      return established !== 2;
    });
    expect(await connection.open()).toBe(true);
    expect(connection.isUp()).toBe(true);
    const pid = await pidOf(connection);
    await administer(url, (sql) => sql`select pg_terminate_backend(${pid}, 60000)`);
    await expect.poll(() => happened).toEqual(['lost', 'regained']);
    await expect.poll(() => connection.isUp()).toBe(true);
    expect(established).toBe(3);
    expect(await pidOf(connection)).not.toBe(pid);
  });

  test('closed, it is not lost', async () => {
    const { connection, happened } = await keep(async (sql) => {
      await sql`select 1`;
      return true;
    });
    await connection.open();
    await connection.close();
    expect(happened).toEqual([]);
  });

  test('closing waits for the try that is under way', async () => {
    const order: string[] = [];
    const tries = new EventEmitter();
    const [begun, goOn] = [once(tries, 'begun'), once(tries, 'go on')];
    const { connection, url } = await keep(async (sql) => {
      await sql`select 1`;
      if (!connection.isUp() && order.push('established') === 1) return true;
      tries.emit('begun');
      await goOn;
      order.push('tried again');
      return false;
    });
    await connection.open();
    const pid = await pidOf(connection);
    await administer(url, (sql) => sql`select pg_terminate_backend(${pid}, 60000)`);
    await begun;
    const closing = connection.close().then(() => order.push('closed'));
    // Longer than it takes to end a connection that is idle.
    await administer(url, (sql) => sql`select 1`);
    tries.emit('go on');
    await closing;
    expect(order).toEqual(['established', 'established', 'tried again', 'closed']);
  });

  test('it is not replaced by itself, however long it lasts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { connection, happened } = await keep(async (sql) => {
      await sql`select 1`;
      return true;
    });
    await connection.open();
    const pid = await pidOf(connection);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000);
    expect(await pidOf(connection)).toBe(pid);
    expect(happened).toEqual([]);
  });
});
