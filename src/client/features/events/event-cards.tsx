import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { formatNumber } from '#client/lib/format.ts';
import type { RequestOverview } from '#shared/requests.ts';
import classes from './event-cards.module.css';
import type { ChangeEvents, EventsState } from './events-state.ts';
import { counted, formatMs } from './format-event.ts';

interface EventCardsProps {
  overview: UseQueryResult<RequestOverview>;
  state: EventsState;
  onChange: ChangeEvents;
}

/** Sums of the last hour; those of faults and of searches that found nothing lead to them. */
export function EventCards({ overview, state, onChange }: EventCardsProps) {
  const sums = overview.data?.lastHour;
  const failed = sums && sums.warnings + sums.errors;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Card
        label="Events in the last hour"
        value={sums && formatNumber(sums.requests)}
        detail={sums && `${counted(sums.searches, 'search')}; ${formatNumber(sums.apiRequests)} over the API`}
        hint="The dashboard and Monitoring count what comes over the API. What the console searches and changes is listed here too."
        isFailed={overview.isError}
      />
      <Card
        label="Response time of searches"
        value={sums && (sums.p95Ms === null ? '–' : formatMs(sums.p95Ms))}
        detail={
          sums && (sums.p50Ms === null ? 'no searches' : `95 of 100 within; median ${formatMs(sums.p50Ms)}`)
        }
        isFailed={overview.isError}
      />
      <Card
        label="Errors and warnings"
        value={failed === undefined ? undefined : formatNumber(failed)}
        detail={sums && `${counted(sums.errors, 'error')}, ${counted(sums.warnings, 'warning')}`}
        isFailed={overview.isError}
        isChosen={state.status === 'warning' || state.status === 'error'}
        choose={{
          name: sums && sums.errors > 0 ? 'Show errors' : 'Show warnings',
          onChoose: () => onChange({ status: sums && sums.errors > 0 ? 'error' : 'warning' }),
          onUndo: () => onChange({ status: 'all' }),
        }}
      />
      <Card
        label="Searches without results"
        value={sums && formatNumber(sums.nothingFound)}
        detail={sums && shareOf(sums)}
        isFailed={overview.isError}
        isChosen={state.results === 'none'}
        choose={{
          name: 'Show searches without results',
          onChoose: () => onChange({ results: 'none', type: 'all' }),
          onUndo: () => onChange({ results: 'any' }),
        }}
      />
    </SimpleGrid>
  );
}

function shareOf({ nothingFound, searches }: RequestOverview['lastHour']): string {
  if (searches === 0) return 'no searches';
  return `${((100 * nothingFound) / searches).toFixed(1)} % of searches`;
}

interface CardProps {
  label: string;
  /** Absent: it loads. */
  value: string | undefined;
  detail: string | undefined;
  isFailed: boolean;
  /** What is counted. */
  hint?: string;
  isChosen?: boolean;
  choose?: { name: string; onChoose: () => void; onUndo: () => void };
}

function Card({ label, value, detail, isFailed, hint, isChosen = false, choose }: CardProps) {
  return (
    <Paper component="section" aria-label={label} withBorder className={classes['card'] ?? ''}>
      <Text size="sm" c="dimmed" fw={500} title={hint}>
        {label}
      </Text>
      {value === undefined && !isFailed ? (
        <Skeleton height="2rem" width="4rem" />
      ) : (
        <p className={classes['value']}>{value ?? '–'}</p>
      )}
      <div className={classes['foot']}>
        <Text size="xs" c="dimmed">
          {isFailed && value === undefined ? 'could not be loaded' : detail}
        </Text>
        {choose && (
          <button
            type="button"
            className={classes['choose']}
            aria-pressed={isChosen}
            aria-label={isChosen ? undefined : choose.name}
            onClick={isChosen ? choose.onUndo : choose.onChoose}
          >
            {isChosen ? 'Show all' : 'Show'}
          </button>
        )}
      </div>
    </Paper>
  );
}
