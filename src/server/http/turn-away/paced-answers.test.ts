import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, expect, it } from 'vitest';
import { PacedAnswers } from './paced-answers.ts';

let now: number;
let paced: PacedAnswers;
let sent: number[];
let keptBack: number[];
beforeEach(() => {
  now = 0;
  sent = [];
  keptBack = [];
  paced = new PacedAnswers(() => now);
  return () => {
    // Ends its timer.
    for (; paced.waiting > 0; now += 1_000) paced.release();
  };
});

interface Sending {
  caller?: string;
  waitMs?: number;
  lookMs?: number;
  /** What it takes to send it. */
  costMs?: number;
}

function send(id: number, { caller = 'a', waitMs = 0, lookMs = 0, costMs = 0 }: Sending = {}): EventEmitter {
  const outgoing = new EventEmitter();
  const answer = () => {
    sent.push(id);
    now += costMs;
  };
  paced.send(outgoing, {
    requester: { tenant: caller, caller },
    waitMs,
    lookMs,
    onKeptBack: () => keptBack.push(id),
    send: answer,
  });
  return outgoing;
}

function releaseUntil(end: number): void {
  for (; now < end; now += 5) paced.release();
}

it('sends at once to who is not refused again and again', () => {
  for (let id = 0; id < 100; id += 1) send(id);
  expect([sent.length, paced.waiting]).toEqual([100, 0]);
});

it('lets who is refused again and again wait for a moment, and nobody else', () => {
  send(1, { waitMs: 100 });
  now = 50;
  send(2, { waitMs: 100 });
  send(3, { caller: 'b' });
  expect([sent, keptBack]).toEqual([[3], [1, 2]]);
  now = 95;
  paced.release();
  expect(sent).toEqual([3]);
  now = 100;
  paced.release();
  expect(sent).toEqual([3, 1]);
  now = 150;
  paced.release();
  expect([sent, paced.waiting]).toEqual([[3, 1, 2], 0]);
});

it('takes a tenth of the time, however many there are', () => {
  for (let id = 0; id < 1_000; id += 1) send(id, { waitMs: 100, costMs: 0.5 });
  now = 1_000;
  releaseUntil(2_000);
  // Half a millisecond each, and what had been saved up. One in each tick goes out in any case.
  expect(sent.length).toBeGreaterThanOrEqual(200);
  expect(sent.length).toBeLessThanOrEqual(215);
});

it('counts the looks at heads into the tenth, and sends some all the same', () => {
  for (let id = 0; id < 1_000; id += 1) send(id, { waitMs: 5, costMs: 0.05 });
  now = 100;
  for (let id = 1_000; now < 1_100; now += 5) {
    paced.release();
    // What comes anew, and is looked at, takes more than the tenth.
    for (let i = 0; i < 5; i += 1) send(id++, { waitMs: 1_000, lookMs: 0.2 });
  }
  expect(sent.length).toBeGreaterThanOrEqual(195);
  expect(sent.length).toBeLessThanOrEqual(250);
});

it('holds up those of many callers too, beyond its share', () => {
  for (let id = 0; id < 100; id += 1) send(id, { caller: String(id), costMs: 0.5 });
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(sent.length + paced.waiting).toBe(100);
});

it('holds up nobody for the many refusals of one', () => {
  for (let id = 0; id < 5_000; id += 1) send(id, { waitMs: 5, costMs: 0.5 });
  now = 1_000;
  releaseUntil(1_100);
  const before = sent.length;
  expect(paced.waiting).toBeGreaterThan(4_900);
  send(9_999, { caller: 'b' });
  releaseUntil(now + 10);
  expect(sent.indexOf(9_999)).toBeLessThanOrEqual(before + 1);
});

it('keeps nothing of those that are gone, whether they are due or not', () => {
  const outgoing = [1, 2, 3].map((id) => send(id, { waitMs: id === 3 ? 1_000 : 5, costMs: 50 }));
  now = 5;
  paced.release();
  expect([sent, paced.waiting]).toEqual([[1], 2]);
  for (const each of outgoing) each.emit('close');
  expect(paced.waiting).toBe(0);
  releaseUntil(3_000);
  expect(sent).toEqual([1]);
});

it('forgets what waits for a connection that is gone', async () => {
  const server = createServer((_, outgoing) => {
    paced.send(outgoing, {
      requester: { tenant: 'a', caller: 'a' },
      waitMs: 100,
      lookMs: 0,
      onKeptBack: () => undefined,
      send: () => outgoing.end(),
    });
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
  send(1, { waitMs: 100 });
  expect(timers()).toBe(before);
});
