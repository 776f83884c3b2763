import { beforeEach, expect, test } from 'vitest';
import { forgetUsers, writeForUser } from '#client/lib/user-storage.ts';
import { clearHistory, readHistory, remember, type SentRequest } from './history.ts';

const userId = 5;
const sent = (atMs: number, body: string | null = null): SentRequest => ({
  endpoint: 'search.keyword',
  method: 'GET',
  path: '/api/collections/films/search?query=rain',
  body,
  collection: 3,
  keyName: 'Website',
  status: 200,
  timeMs: 12,
  atMs,
});

beforeEach(() => localStorage.clear());

test('the newest is first, and the oldest make room', () => {
  let history: SentRequest[] = [];
  for (let i = 0; i < 40; i += 1) history = remember(userId, history, sent(i));
  expect(history).toHaveLength(30);
  expect(readHistory(userId)).toEqual(history);
  expect(history[0]?.atMs).toBe(39);
  expect(readHistory(userId + 1)).toEqual([]);
});

test('a long body is not kept, its request is', () => {
  remember(userId, [], sent(1, 'x'.repeat(20_000)));
  expect(readHistory(userId)).toEqual([sent(1)]);
});

test.each([null, [1], [{ endpoint: 1 }], 'text'])(
  'what is stored there and is no history is nothing: %j',
  (stored) => {
    writeForUser('playgroundHistory', userId, stored);
    expect(readHistory(userId)).toEqual([]);
  },
);

test('cleared, or signed out, nothing of it is left', () => {
  remember(userId, [], sent(1));
  clearHistory(userId);
  expect(readHistory(userId)).toEqual([]);
  remember(userId, [], sent(1));
  forgetUsers();
  expect(localStorage).toHaveLength(0);
});
