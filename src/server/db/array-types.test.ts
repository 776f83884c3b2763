import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import type { RecordStore } from './client.ts';
import { openRecord } from './open-record.ts';

/** What the driver sent through, by connection, in the order in which they were opened. */
let sent: string[];
let record: RecordStore;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  const { settings, cleanup } = await freshDatabase('bundled');
  cleanups.push(cleanup);
  const url = new URL(settings.databaseUrl ?? '');
  const server = { port: Number(url.port), host: url.hostname };
  const relay = createServer((client) => pass(client, server));
  sent = [];
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  cleanups.push(() => relay.close());
  url.hostname = '127.0.0.1';
  url.port = String((relay.address() as AddressInfo).port);
  record = await openRecord({
    settings: { dataDir: settings.dataDir, databaseUrl: url.href, storageReserveBytes: 0 },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  cleanups.push(() => record.close());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function pass(client: Socket, to: { port: number; host: string }): void {
  const server = connect(to);
  const number = sent.push('') - 1;
  client.on('data', (chunk) => {
    sent[number] += chunk.toString('latin1');
  });
  client.on('error', () => server.destroy()).pipe(server);
  server.on('error', () => client.destroy()).pipe(client);
}

test('connections that are opened later ask for no array types, and read and send arrays all the same', async () => {
  const before = sent.length;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => {
      const words = [`a"${n}`, 'b\\', 'c,d'];
      return record.sql`select pg_sleep(.1)::text as slept, array[${n}::int, 2] as numbers, ${words}::text[] as words`;
    }),
  );
  expect(answers.map(([row]) => row)).toEqual(
    answers.map((_, n) => ({ slept: '', numbers: [n, 2], words: [`a"${n}`, 'b\\', 'c,d'] })),
  );
  expect(sent.length).toBeGreaterThan(before);
  expect(sent.slice(before).filter((text) => text.includes('typarray'))).toEqual([]);
});
