import { Button, Group, Loader, Paper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatNumber } from '#client/lib/format.ts';
import { limits } from '#shared/limits.ts';
import type { Request } from '#shared/requests.ts';
import classes from './event-list.module.css';
import { EventRow } from './event-row.tsx';
import type { LoadedFeed } from './use-event-feed.ts';

interface EventListProps {
  /** Newest first. */
  events: Request[];
  hasOlder: boolean;
  older: LoadedFeed['older'];
  /** They are those of other filters, until these are there. */
  isOutdated: boolean;
}

/** As the style sheet has them. */
const rowHeights = { wide: 44, narrow: 68 };
const rowsAhead = 20;

/** The events as a table of which only the rows in sight are on the page. */
export function EventList({ events, hasOlder, older, isOutdated }: EventListProps) {
  const frame = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useMediaQuery('(width < 75em)', false, { getInitialValueInEffect: false });
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = () => {
      const box = frame.current?.getBoundingClientRect();
      if (box) setTop(box.top + window.scrollY);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: events.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (at) => events[at]?.id ?? at,
  });
  useLayoutEffect(() => {
    if (rowHeight > 0) rows.measure();
  }, [rows, rowHeight]);
  useKeptPlace(events, { rowHeight, top });
  const items = rows.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasOlder && !isOutdated && older.error === null && lastShown > events.length - rowsAhead)
      older.load();
  }, [hasOlder, isOutdated, lastShown, events.length, older]);
  return (
    <Paper withBorder className={classes['panel'] ?? ''} data-outdated={isOutdated || undefined}>
      <table
        aria-label="Events"
        aria-rowcount={hasOlder ? -1 : events.length + 1}
        className={classes['table']}
      >
        <thead>
          <tr aria-rowindex={1} className={classes['head']}>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={frame} className={classes['rows']} style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const event = events[index];
            return (
              event && <EventRow key={event.id} event={event} rowIndex={index + 2} offset={start - top} />
            );
          })}
        </tbody>
      </table>
      <Foot {...{ events, hasOlder, older }} />
    </Paper>
  );
}

const columns = ['Time', 'Type', 'Event', 'Collection', 'Key', 'Hits', 'Status', 'Took', 'Request'];

/** Events that come above keep those in sight where they are, unless the reader is at the top of the list. */
function useKeptPlace(events: Request[], { rowHeight, top }: { rowHeight: number; top: number }): void {
  const before = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = events[0]?.id;
    if (known === undefined || known === events[0]?.id || window.scrollY <= top) return;
    const added = events.findIndex(({ id }) => id === known);
    if (added > 0) window.scrollBy({ top: added * rowHeight, behavior: 'instant' });
  }, [events, rowHeight, top]);
}

function Foot({ events, hasOlder, older }: Omit<EventListProps, 'isOutdated'>) {
  if (older.error !== null)
    return (
      <Group className={classes['foot'] ?? ''} gap="sm">
        <Text size="sm" role="alert">
          {errorMessage(older.error, 'Older events could not be fetched')}
        </Text>
        <Button size="compact-sm" variant="default" onClick={older.load}>
          Try again
        </Button>
      </Group>
    );
  if (hasOlder)
    return (
      <Group className={classes['foot'] ?? ''} gap="sm">
        <Loader size="xs" aria-hidden="true" />
        <Text size="sm" c="dimmed">
          Older events are loaded as you scroll
        </Text>
      </Group>
    );
  return (
    <Text size="sm" c="dimmed" className={classes['foot'] ?? ''}>
      {formatNumber(events.length)} {events.length === 1 ? 'event' : 'events'}. The last{' '}
      {formatNumber(limits.requestsKeptMax)} are kept, for {limits.requestsKeptDays} days.
    </Text>
  );
}
