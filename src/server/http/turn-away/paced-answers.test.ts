import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, expect, it } from 'vitest';
import { PacedAnswers } from './paced-answers.ts';

let now: number;
let paced: PacedAnswers;
let sent: number[];
beforeEach(() => {
  now = 0;
  sent = [];
  paced = new PacedAnswers(() => now);
  return () => {
    // Ends its timer.
    for (; paced.waiting > 0; now += 1_000) paced.release();
  };
});

/** @param costMs what it takes to send it */
const send = (id: number, { isRepeated = false, costMs = 0 } = {}) =>
  paced.send(
    new EventEmitter(),
    () => {
      sent.push(id);
      now += costMs;
    },
    { isRepeated },
  );

it('sends at once to who is not refused again and again', () => {
  for (let id = 0; id < 100; id += 1) send(id);
  expect([sent.length, paced.waiting]).toEqual([100, 0]);
});

it('lets who is refused again and again wait for a moment, and keeps the order', () => {
  send(1, { isRepeated: true });
  now = 50;
  send(2, { isRepeated: true });
  send(3);
  paced.release();
  expect(sent).toEqual([]);
  now = 100;
  paced.release();
  expect(sent).toEqual([1]);
  now = 150;
  paced.release();
  expect([sent, paced.waiting]).toEqual([[1, 2, 3], 0]);
});

it('takes a tenth of the time, however many there are', () => {
  for (let id = 0; id < 1_000; id += 1) send(id, { isRepeated: true, costMs: 0.5 });
  for (now = 1_000; now < 2_000; now += 5) paced.release();
  // Half a millisecond each, and what had been saved up.
  expect(sent.length).toBeGreaterThanOrEqual(200);
  expect(sent.length).toBeLessThanOrEqual(210);
});

it('holds up those of many callers too, beyond its share', () => {
  for (let id = 0; id < 100; id += 1) send(id, { costMs: 0.5 });
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(sent.length + paced.waiting).toBe(100);
});

it('forgets what waits for a connection that is gone', async () => {
  const server = createServer((_, outgoing) => {
    paced.send(outgoing, () => outgoing.end(), { isRepeated: true });
    server.emit('waits');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(server, 'waits');
  expect(paced.waiting).toBe(1);
  socket.destroy();
  await expect.poll(() => paced.waiting).toBe(0);
  server.close();
  await once(server, 'close');
});

it('keeps no process alive', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  send(1, { isRepeated: true });
  expect(timers()).toBe(before);
});
