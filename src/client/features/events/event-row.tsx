import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatDateTime, formatNumber } from '#client/lib/format.ts';
import type { Request } from '#shared/requests.ts';
import classes from './event-list.module.css';
import { callerOf, formatClock, formatMs, levelColors } from './format-event.ts';
import { operationName } from './operation-name.ts';

interface EventRowProps {
  event: Request;
  /** Counted with the head, from 1. */
  rowIndex: number;
  /** From the top of the list, in pixels. */
  offset: number;
}

/** Of a request's id: enough to know it again. The whole of it is where the event is opened. */
const shownIdCharacters = 8;

/** One event; the whole row opens it. */
export const EventRow = memo(function EventRow({ event, rowIndex, offset }: EventRowProps) {
  const { id, type, operation, words, collection, found, level, status, leftOut, error, requestId } = event;
  const caller = callerOf(event);
  return (
    <tr
      aria-rowindex={rowIndex}
      className={classes['row']}
      data-level={level}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <td className={classes['time']}>
        <time dateTime={event.at} title={formatDateTime(event.at)}>
          {formatClock(event.at)}
        </time>
      </td>
      <td className={classes['type']} data-type={type}>
        {type}
      </td>
      <td className={classes['event']}>
        <Link
          to="/events"
          search={(state) => ({ ...state, event: id })}
          resetScroll={false}
          className={classes['open'] ?? ''}
        >
          {operationName(operation)}
        </Link>
        {words !== null && (
          <span className={classes['words']} dir="auto" title={words}>
            {words}
          </span>
        )}
        {error && words === null && (
          <span className={classes['words']} title={error.message}>
            {error.message}
          </span>
        )}
        {leftOut > 0 && (
          <span className={classes['leftOut']}>+{formatNumber(leftOut)} before it are not kept</span>
        )}
      </td>
      <td className={classes['collection']} dir="auto" title={collection?.name}>
        {collection?.name}
      </td>
      <td className={classes['key']} dir="auto" title={caller}>
        {caller}
      </td>
      <td className={classes['hits']} data-none={found === 0 || undefined}>
        {found === null ? '' : formatNumber(found)}
      </td>
      <td className={classes['status']}>
        <Badge color={levelColors[level]} size="sm">
          {level} {status}
        </Badge>
      </td>
      <td className={classes['took']}>{formatMs(event.tookMs)}</td>
      <td className={classes['request']} title={requestId}>
        {requestId.slice(0, shownIdCharacters)}
      </td>
    </tr>
  );
});
