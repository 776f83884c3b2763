import type { Request } from '#shared/requests.ts';

/** The events that are loaded: the last ones, newest first, without a gap. */
export interface EventFeed {
  events: Request[];
  /** There are older ones, which are not loaded. */
  hasOlder: boolean;
  /** The newest are not stored yet, since the server cannot. */
  isBehind: boolean;
}

interface EventPage {
  requests: Request[];
  isBehind: boolean;
}

/** As many as the server keeps. */
export const eventsMax = 10_000;
const firstPage = 100;
const furtherPage = 250;

/** Asks for a page of the list, newest first, behind an event. */
export type AskEvents = (page: { before?: number; per_page: number }) => Promise<EventPage>;

/** The newest page, or what has come since the feed was asked for, without a gap, however much that is. */
export async function freshFeed(known: EventFeed | undefined, ask: AskEvents): Promise<EventFeed> {
  const first = await ask({ per_page: firstPage });
  const newest = known?.events[0]?.id;
  const { isBehind } = first;
  const isWhole = first.requests.length < firstPage;
  if (known === undefined || newest === undefined)
    return { events: first.requests, hasOlder: !isWhole, isBehind };
  const newer: Request[] = [];
  let page = first.requests;
  let size = firstPage;
  for (;;) {
    const fresh = page.filter(({ id }) => id > newest);
    newer.push(...fresh);
    const last = page.at(-1);
    // Another page may have begun behind it.
    if (fresh.length < page.length || page.length < size || last === undefined) break;
    if (newer.length >= eventsMax) return { events: newer.slice(0, eventsMax), hasOlder: true, isBehind };
    size = furtherPage;
    page = (await ask({ before: last.id, per_page: size })).requests;
  }
  return bounded({ ...known, events: [...newer, ...known.events], isBehind });
}

/** With the next older ones. */
export async function olderFeed(known: EventFeed, ask: AskEvents): Promise<(now: EventFeed) => EventFeed> {
  const before = known.events.at(-1)?.id;
  if (before === undefined) return (now) => now;
  const { requests } = await ask({ before, per_page: furtherPage });
  return (now) =>
    // Somebody else has loaded them meanwhile, or they were dropped.
    now.events.at(-1)?.id === before
      ? bounded({ ...now, events: [...now.events, ...requests], hasOlder: requests.length === furtherPage })
      : now;
}

/** A feed that was made fresh from one that was `known`, with the older events that were loaded meanwhile. */
export function withOlder(
  fresh: EventFeed,
  { known, now }: { known: EventFeed | undefined; now: EventFeed | undefined },
): EventFeed {
  const last = known?.events.at(-1)?.id;
  if (!now || last === undefined || fresh.events.at(-1)?.id !== last) return fresh;
  const older = now.events.filter(({ id }) => id < last);
  return bounded({ ...fresh, events: [...fresh.events, ...older], hasOlder: now.hasOlder });
}

function bounded(feed: EventFeed): EventFeed {
  return feed.events.length <= eventsMax ? feed : { ...feed, events: feed.events.slice(0, eventsMax) };
}

/** What is shown while the feed is paused, and how many events have come since, those that are not kept among them. */
export function heldFeed(events: Request[], pausedAt: number | null): { shown: Request[]; missed: number } {
  if (pausedAt === null) return { shown: events, missed: 0 };
  const from = events.findIndex(({ id }) => id <= pausedAt);
  const newer = from === -1 ? events : events.slice(0, from);
  const missed = newer.reduce((sum, { leftOut }) => sum + 1 + leftOut, 0);
  return { shown: from === -1 ? [] : events.slice(from), missed };
}
