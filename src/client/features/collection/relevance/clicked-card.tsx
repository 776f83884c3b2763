import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Pager } from '#client/components/display/pager.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { type ClickedDocument, clicksMinDefault } from '#shared/clicked-documents.ts';
import { limits } from '#shared/limits.ts';
import { gradeNames } from './grade-names.ts';
import classes from './measure-figures.module.css';
import queries from './query-table.module.css';

interface ClickedCardProps {
  collection: number;
  /** Opens a query, to judge it by hand. */
  onOpen: (query: string) => void;
}

/** A collection has room for the judgements of some hundred queries: of a busy site those that are clicked most. */
const floors = [1, clicksMinDefault, 10, 30, 100];

/** What people clicked and nobody has judged, to be taken as judgements: for those who may judge. */
export function ClickedCard({ collection, onOpen }: ClickedCardProps) {
  const id = useId();
  const [least, setLeast] = useState(clicksMinDefault);
  const asked = { collection, clicks_min: least };
  const { data, error, refetch, isPlaceholderData } = trpc.judgements.clicked.useQuery(
    { ...asked, per_page: limits.perPageMax },
    { placeholderData: keepPreviousData },
  );
  const put = trpc.judgements.putClicked.useMutation({
    meta: { changes: 'judgements' },
    onSuccess: ({ judged }) =>
      toast({ title: `${judged} ${judged === 1 ? 'judgement' : 'judgements'} made of clicks` }),
  });
  if (error) return <ErrorView error={error} title="Failed to fetch what was clicked" onRetry={refetch} />;
  if (!data) return null;
  const { clicked } = data;
  const isCut = clicked.length === limits.perPageMax;
  return (
    <Paper component="section" aria-labelledby={id} withBorder className={classes['card'] ?? ''}>
      <Stack gap="sm">
        <Title order={2} id={id} size="h4">
          Judgements from clicks
        </Title>
        <Text size="sm">
          Documents that were clicked for a query in the last {limits.queryIdDaysMax} days and that nobody has
          judged for it. A click says that a document looked relevant; one that was not clicked may not have
          been seen, so clicks say of none that it is not.
        </Text>
        <Group gap="sm">
          <Text size="sm" id={`${id}-least`}>
            Clicked in at least
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby={`${id}-least`}
            value={String(least)}
            onChange={(value) => setLeast(Number(value))}
            data={floors.map((floor) => ({ value: String(floor), label: `${floor}` }))}
          />
          <Text size="sm">{least === 1 ? 'search' : 'searches'}</Text>
          {clicked.length > 0 && (
            <Button
              size="xs"
              variant="default"
              loading={put.isPending}
              disabled={isPlaceholderData}
              onClick={() => put.mutate(asked)}
            >
              {clicked.length === 1
                ? 'Judge it by its clicks'
                : `Judge all${isCut ? '' : ` ${clicked.length}`} by their clicks`}
            </Button>
          )}
        </Group>
        {put.error && (
          <Alert color="red" title="They were not judged">
            {errorMessage(put.error)}
          </Alert>
        )}
        {clicked.length === 0 ? (
          <Text size="sm" c="dimmed" role="status">
            No document was clicked as often for one query. The tab Analytics says how clicks become known.
          </Text>
        ) : (
          <ClickedTable key={least} clicked={clicked} onOpen={onOpen} />
        )}
      </Stack>
    </Paper>
  );
}

function ClickedTable({ clicked, onOpen }: { clicked: ClickedDocument[]; onOpen: (query: string) => void }) {
  const [page, setPage] = useState(1);
  const part = pageOf(clicked, page);
  return (
    <>
      <TablePanel
        minWidth={560}
        head={
          <>
            <th scope="col">Query</th>
            <th scope="col">Document</th>
            <th scope="col">Clicked in</th>
            <th scope="col">Converted in</th>
            <th scope="col">Grade</th>
          </>
        }
      >
        {part.shown.map(({ query, document, clicks, conversions, searches, grade }) => (
          <tr key={`${query}/${document}`}>
            <td className={cells['words']}>
              <button type="button" className={queries['query']} dir="auto" onClick={() => onOpen(query)}>
                {query}
              </button>
            </td>
            <td className={cells['name']}>{document}</td>
            <td className={cells['date']}>
              {clicks} of {searches} searches
            </td>
            <td>{conversions}</td>
            <td className={cells['date']}>{gradeNames[grade]}</td>
          </tr>
        ))}
      </TablePanel>
      <Pager {...part} total={clicked.length} noun="clicked documents" onChange={setPage} />
    </>
  );
}
