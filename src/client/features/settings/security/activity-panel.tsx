import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { ActivityRow } from './activity-row.tsx';
import classes from './sessions-panel.module.css';

/** So many are shown at first, and so many more each time that more are asked for. */
const rowsAtFirst = 8;
const rowsMore = 40;
/** What the API answers at once. */
const rowsMax = 250;

/** When and from where the account was signed in to, what was tried, and how signing in was changed. */
export function ActivityPanel() {
  const [rows, setRows] = useState(rowsAtFirst);
  // One more than is shown tells whether there are more. Others add to it while the page is open.
  const { data, error, refetch, isFetching } = trpc.account.activity.useQuery(
    { per_page: Math.min(rows + 1, rowsMax) },
    { placeholderData: keepPreviousData, refetchOnMount: 'always' },
  );
  const isMore = data !== undefined && data.length > rows;
  return (
    <Panel title="Sign-in history">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sign-ins, tries that failed, and changes of how you sign in. What you do not recognise was somebody
          else: change your password and sign out everywhere else.
        </Text>
        {error && <ErrorView error={error} title="Failed to fetch the sign-in history" onRetry={refetch} />}
        {!data && !error && <Skeleton height={120} aria-hidden="true" />}
        {data && (
          <ul className={classes['list']} aria-label="Sign-in history, newest first">
            {data.slice(0, rows).map((event) => (
              <ActivityRow key={event.id} event={event} />
            ))}
          </ul>
        )}
        {isMore && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={isFetching}
              onClick={() => setRows(Math.min(rows + rowsMore, rowsMax))}
            >
              Show earlier
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
