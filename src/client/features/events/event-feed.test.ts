import { expect, it } from 'vitest';
import type { Request } from '#shared/requests.ts';
import { type EventFeed, eventsMax, freshFeed, heldFeed, olderFeed, withOlder } from './event-feed.ts';

function event(id: number, leftOut = 0): Request {
  return {
    id,
    requestId: `r${id}`,
    at: '2026-11-20T12:00:00.000Z',
    operation: 'search.keyword',
    type: 'search',
    way: 'api',
    key: null,
    collection: null,
    status: 200,
    level: 'success',
    tookMs: 1,
    found: 1,
    words: null,
    error: null,
    leftOut,
  };
}

/** A server that has the events from 1 on. */
function serve(newest: number) {
  const asked: object[] = [];
  return {
    asked,
    ask: async (page: { before?: number; per_page: number }) => {
      asked.push(page);
      const from = Math.min(newest, (page.before ?? newest + 1) - 1);
      const count = Math.min(from, page.per_page);
      return { requests: Array.from({ length: count }, (_, i) => event(from - i)), isBehind: false };
    },
  };
}

const ids = ({ events }: EventFeed) => events.map(({ id }) => id);
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

it('begins with the newest page, and goes on behind its last event', async () => {
  const { ask } = serve(130);
  const first = await freshFeed(undefined, ask);
  expect(ids(first)).toEqual(down(130, 31));
  expect(first.hasOlder).toBe(true);
  const all = (await olderFeed(first, ask))(first);
  expect(ids(all)).toEqual(down(130, 1));
  expect(all.hasOlder).toBe(false);
});

it('what has come since is fetched without a gap, however much that is, and nothing twice', async () => {
  const known = await freshFeed(undefined, serve(50).ask);
  const few = serve(53);
  expect(ids(await freshFeed(known, few.ask))).toEqual(down(53, 1));
  expect(few.asked).toHaveLength(1);
  const many = serve(700);
  expect(ids(await freshFeed(known, many.ask))).toEqual(down(700, 1));
  const exactly = serve(150);
  expect(ids(await freshFeed(known, exactly.ask))).toEqual(down(150, 1));
});

it('keeps as many as the server does, and says that there are older ones when it has not seen those between', async () => {
  const known = await freshFeed(undefined, serve(50).ask);
  const feed = await freshFeed(known, serve(eventsMax + 5_000).ask);
  expect(feed.events).toHaveLength(eventsMax);
  expect(feed.hasOlder).toBe(true);
});

it('older events that were loaded while newer ones were fetched stay', async () => {
  const { ask } = serve(130);
  const known = await freshFeed(undefined, ask);
  const now = (await olderFeed(known, ask))(known);
  const fresh = await freshFeed(known, serve(132).ask);
  expect(ids(withOlder(fresh, { known, now }))).toEqual(down(132, 1));
});

it('paused, nothing moves, and what is missed is counted with what is not kept', () => {
  const events = [event(5, 20), event(4), event(3), event(2)];
  expect(heldFeed(events, null)).toEqual({ shown: events, missed: 0 });
  const held = heldFeed(events, 3);
  expect(held.shown.map(({ id }) => id)).toEqual([3, 2]);
  expect(held.missed).toBe(22);
});
