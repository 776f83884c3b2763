import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { KeptLists } from './kept-lists.ts';

let now: number;
let lines: string[];
let kept: KeptLists<number>;
/** Answers of `read`, in order, and how often it was asked. */
let answers: (() => Promise<number>)[];
let reads: number;

beforeEach(() => {
  [now, lines, answers, reads] = [0, [], [], 0];
  kept = new KeptLists({
    log: createLog('info', (line) => lines.push(line)),
    what: 'numbers',
    now: () => now,
    bytesOf: (value) => value,
    rereadAfterMs: { outdated: 10, anyway: 100 },
  });
});

const collection = (id: number, tenant = 'a') => ({ id, for: { tenant, caller: 'c' } });
const read = () => {
  reads += 1;
  return (answers.shift() ?? (async () => reads))();
};
const ask = async () => {
  const value = await kept.of(collection(1), read);
  // What is read beside has come.
  await nextTurn();
  return value;
};

test('what is asked for at the same time is read once', async () => {
  expect(
    await Promise.all([
      kept.of(collection(1), read),
      kept.of(collection(1), read),
      kept.of(collection(2), read),
    ]),
  ).toEqual([1, 1, 2]);
});

test('what is kept is told, and read again beside whoever asks when it is due', async () => {
  expect(await ask()).toBe(1);
  now = 100;
  expect(await ask()).toBe(1);
  now = 101;
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(2);
  expect(reads).toBe(2);
});

test('what is known to have changed is read again sooner', async () => {
  await ask();
  kept.outdate(1);
  now = 10;
  expect(await ask()).toBe(1);
  now = 11;
  expect([await ask(), await ask()]).toEqual([1, 2]);
  now = 50;
  expect(await ask()).toBe(2);
});

test('what changes while it is read is read again as soon', async () => {
  let resolve: (value: number) => void = () => undefined;
  const slow = new Promise<number>((done) => {
    resolve = done;
  });
  answers.push(() => slow);
  const asked = kept.of(collection(1), read);
  kept.outdate(1);
  resolve(7);
  expect(await asked).toBe(7);
  now = 11;
  expect([await ask(), await ask()]).toEqual([7, 2]);
});

test('where it cannot be read again, what is kept is told, and the log says so', async () => {
  await ask();
  const away = async () => {
    throw new Error('away');
  };
  answers.push(away);
  now = 101;
  expect([await ask(), await ask()]).toEqual([1, 1]);
  expect(lines.filter((line) => line.includes('numbers were not read'))).toHaveLength(1);
  now = 202;
  expect([await ask(), await ask()]).toEqual([1, 3]);
});

test('where nothing is kept, who asks hears why, and the next one asks again', async () => {
  answers.push(() => Promise.reject(new Error('away')));
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe(2);
  kept.drop(1);
  expect(await ask()).toBe(3);
});

test('of an account that keeps much the oldest go first, and nobody else’s', async () => {
  const megabyte = 1024 * 1024;
  const small = async () => 1;
  await kept.of(collection(0, 'modest'), small);
  let asked = 0;
  const large = async () => {
    asked += 1;
    return megabyte;
  };
  for (let id = 1; id <= 40; id += 1) await kept.of(collection(id), large);
  const none = () => Promise.reject(new Error('it is kept'));
  expect(await kept.of(collection(0, 'modest'), none)).toBe(1);
  expect(await kept.of(collection(40), none)).toBe(megabyte);
  await kept.of(collection(1), large);
  expect(asked).toBe(41);
});
