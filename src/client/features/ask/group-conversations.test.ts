import { expect, it } from 'vitest';
import type { Conversation } from '#shared/chat.ts';
import { groupConversations } from './group-conversations.ts';

it('groups by the reader’s days', () => {
  const now = new Date(2026, 9, 26, 9, 0).getTime();
  const at = (...[month, day, hour]: [number, number, number]): Conversation => {
    const updatedAt = new Date(2026, month, day, hour).toISOString();
    return {
      id: day * 100 + hour,
      name: 'x',
      projectId: 1,
      messageCount: 2,
      createdAt: updatedAt,
      updatedAt,
    };
  };
  const rows = [
    at(9, 26, 0),
    at(9, 25, 23),
    at(9, 25, 0),
    at(9, 24, 23),
    at(9, 20, 12),
    at(9, 19, 12),
    at(1, 1, 1),
  ];
  expect(
    groupConversations(rows, now).map(({ label, conversations }) => [label, conversations.length]),
  ).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
    ['Last 7 days', 2],
    ['Earlier', 2],
  ]);
});
