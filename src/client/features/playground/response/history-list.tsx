import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { refreshIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { formatAgo } from '#client/lib/format.ts';
import type { SentRequest } from '../history.ts';
import { MethodBadge } from '../method-badge.tsx';
import classes from './response-panel.module.css';

interface HistoryListProps {
  history: SentRequest[];
  onOpen: (sent: SentRequest) => void;
  onClear: () => void;
}

/** What was sent from this browser; one click brings a request back as it was. */
export function HistoryList({ history, onOpen, onClear }: HistoryListProps) {
  if (history.length === 0)
    return (
      <EmptyState
        icon={refreshIcon}
        title="No requests yet"
        description="What you send is kept in this browser, without keys, to be sent again."
      />
    );
  return (
    <>
      <ol className={classes['history']}>
        {history.map((sent) => (
          <li key={sent.atMs}>
            <UnstyledButton className={classes['sentBefore'] ?? ''} onClick={() => onOpen(sent)}>
              <MethodBadge method={sent.method} />
              <span className={classes['historyPath']}>{sent.path}</span>
              <Text span size="xs" c="dimmed" className={classes['figures'] ?? ''}>
                {`${sent.status || 'No answer'} · ${Math.round(sent.timeMs)} ms · ${sent.keyName} · ${formatAgo(new Date(sent.atMs).toISOString())}`}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <Group justify="space-between" mt="sm">
        <Text size="xs" c="dimmed">
          Kept in this browser, without keys.
        </Text>
        <Button variant="default" size="compact-sm" onClick={onClear}>
          Clear history
        </Button>
      </Group>
    </>
  );
}
