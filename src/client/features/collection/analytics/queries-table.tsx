import { Button, Group, Text } from '@mantine/core';
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
            <th scope="col">Query</th>
            <th scope="col" data-right>
              Searches
            </th>
            <th scope="col" data-right>
              Found
            </th>
            <th scope="col" data-right>
              Clicked
            </th>
            <th scope="col" data-right>
              Position
            </th>
            <th scope="col" aria-label="What can be done" />
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
    <tr>
      <td className={cells['words']}>
        <AnchorLink to="/search" search={{ collection, q: query === '*' ? '' : query }} size="sm" dir="auto">
          {query === '*' ? 'All documents' : query}
        </AnchorLink>
      </td>
      <td data-right>{formatNumber(searches)}</td>
      <td data-right>{found === null ? '–' : formatNumber(found)}</td>
      <td data-right>{share(click_through_rate)}</td>
      <td data-right>{click_position === null ? '–' : click_position.toFixed(1)}</td>
      <td data-right>
        <AnchorLink
          to="/collections/$id"
          params={{ id: collection }}
          search={{ tab: 'tuning', part: 'synonyms', try: query }}
          size="sm"
          aria-label={`Tune “${query}”`}
        >
          Tune
        </AnchorLink>
      </td>
    </tr>
  );
}
