import { Button, Group, Table, Text } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { QueryFigures } from '#shared/analytics.ts';
import type { QueryList } from './analytics-state.ts';
import { share } from './figure.tsx';

interface QueriesTableProps {
  collection: number;
  queries: QueryFigures[];
  list: QueryList;
  onMore: (() => void) | null;
  isFetching: boolean;
}

const nothing: Record<QueryList, string> = {
  top: 'Nobody has searched in these days.',
  no_results: 'Every query found something in these days.',
  no_clicks: 'There is no query that found something of which nothing was clicked.',
};

/** What was searched for; each query leads to its search. */
export function QueriesTable({ collection, queries, list, onMore, isFetching }: QueriesTableProps) {
  if (queries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {nothing[list]}
      </Text>
    );
  return (
    <>
      <TablePanel
        minWidth={620}
        head={
          <>
            <Table.Th>Query</Table.Th>
            <Table.Th ta="end">Searches</Table.Th>
            <Table.Th ta="end">Found</Table.Th>
            <Table.Th ta="end">Clicked</Table.Th>
            <Table.Th ta="end">Position</Table.Th>
            <Table.Th aria-label="What can be done" />
          </>
        }
      >
        {queries.map((figures) => (
          <QueryRow key={figures.query} collection={collection} figures={figures} />
        ))}
      </TablePanel>
      {onMore && (
        <Group justify="center" mt="sm">
          <Button variant="default" size="xs" loading={isFetching} onClick={onMore}>
            More queries
          </Button>
        </Group>
      )}
    </>
  );
}

function QueryRow({ collection, figures }: { collection: number; figures: QueryFigures }) {
  const { query, searches, found, click_through_rate, click_position } = figures;
  return (
    <Table.Tr>
      <Table.Td className={cells['words'] ?? ''}>
        <AnchorLink to="/search" search={{ collection, q: query === '*' ? '' : query }} size="sm" dir="auto">
          {query === '*' ? 'All documents' : query}
        </AnchorLink>
      </Table.Td>
      <Table.Td ta="end">{formatNumber(searches)}</Table.Td>
      <Table.Td ta="end">{found === null ? '–' : formatNumber(found)}</Table.Td>
      <Table.Td ta="end">{share(click_through_rate)}</Table.Td>
      <Table.Td ta="end">{click_position === null ? '–' : click_position.toFixed(1)}</Table.Td>
      <Table.Td ta="end">
        <AnchorLink
          to="/collections/$id"
          params={{ id: collection }}
          search={{ tab: 'tuning', part: 'synonyms', try: query }}
          size="sm"
          aria-label={`Tune “${query}”`}
        >
          Tune
        </AnchorLink>
      </Table.Td>
    </Table.Tr>
  );
}
