import { Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { chartBarIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Analytics } from '#shared/analytics.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { type AnalyticsState, periods, type QueryList, queryLists } from './analytics-state.ts';
import { ClickPositions } from './click-positions.tsx';
import { EventsSnippet } from './events-snippet.tsx';
import { Figure, share } from './figure.tsx';
import { QueriesTable } from './queries-table.tsx';
import { SearchesChart } from './searches-chart.tsx';

const lists: Record<QueryList, string> = {
  top: 'Most searched',
  no_results: 'Without results',
  no_clicks: 'Without clicks',
};
const perStep = 25;

/** What is searched for in the collection, and what comes of it. */
export function AnalyticsTab({ collection, state, onChange }: CollectionTabProps) {
  const { period, queries: kind } = state;
  const [shown, setShown] = useState(perStep);
  const analytics = trpc.analytics.get.useQuery(
    { collection: collection.id, days: Number(period), kind, per_page: shown },
    { placeholderData: keepPreviousData },
  );
  if (analytics.isError)
    return (
      <ErrorView error={analytics.error} title="Failed to fetch analytics" onRetry={analytics.refetch} />
    );
  const { data } = analytics;
  return (
    <Stack gap="lg">
      <SegmentedControl
        size="xs"
        aria-label="Period"
        style={{ alignSelf: 'flex-start' }}
        data={periods.map((value) => ({ value, label: `${value} days` }))}
        value={period}
        onChange={(value) => onChange({ period: value as AnalyticsState['period'] })}
      />
      {!data && <TableSkeleton />}
      {data && data.searches === 0 && (
        <>
          <EmptyState
            icon={chartBarIcon}
            title="No searches in these days"
            description="Searches of the console and of the API show here some seconds after they were asked."
          />
          <EventsSnippet collection={collection} />
        </>
      )}
      {data && data.searches > 0 && (
        <>
          <Figures data={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Panel title="Searches by day">
              <SearchesChart days={data.days} />
            </Panel>
            <Panel title="Clicks by position">
              <ClickPositions positions={data.clicks_by_position} />
            </Panel>
          </SimpleGrid>
          <Stack gap="sm">
            <Group justify="space-between">
              <SegmentedControl
                size="xs"
                aria-label="Which queries"
                data={queryLists.map((value) => ({ value, label: lists[value] }))}
                value={kind}
                onChange={(value) => {
                  setShown(perStep);
                  onChange({ queries: value as QueryList });
                }}
              />
            </Group>
            <QueriesTable
              collection={collection.id}
              queries={data.queries}
              list={kind}
              isFetching={analytics.isFetching}
              onMore={
                data.queries.length === shown && shown < limits.perPageMax
                  ? () => setShown(Math.min(limits.perPageMax, shown * 2))
                  : null
              }
            />
          </Stack>
          <Disclosure label="How clicks are told">
            <EventsSnippet collection={collection} />
          </Disclosure>
        </>
      )}
    </Stack>
  );
}

function Figures({ data }: { data: Analytics }) {
  const { searches, without_results, clicks, conversions, click_through_rate, conversion_rate } = data;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure
        label="Searches"
        value={formatNumber(searches)}
        detail={
          data.search_time_ms === null
            ? undefined
            : `answered in ${data.search_time_ms.toFixed(1)} ms on average`
        }
      />
      <Figure
        label="Without results"
        value={share(searches === 0 ? null : without_results / searches)}
        detail={`${formatNumber(without_results)} ${without_results === 1 ? 'search' : 'searches'}`}
      />
      <Figure
        label="Click-through rate"
        value={share(click_through_rate)}
        detail={`${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`}
      />
      <Figure
        label="Conversion rate"
        value={share(conversion_rate)}
        detail={`${formatNumber(conversions)} ${conversions === 1 ? 'conversion' : 'conversions'}`}
      />
    </SimpleGrid>
  );
}
