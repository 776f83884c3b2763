import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Pager } from '#client/components/display/pager.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { failureOf } from '#client/lib/error-message.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Session } from '#shared/sessions.ts';
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx';
import { SessionRow } from './session-row.tsx';
import classes from './sessions-panel.module.css';

interface SessionsPanelProps {
  email: string;
  page: number;
  onPageChange: (page: number) => void;
}

/** Where the account is signed in. Ending what goes on elsewhere takes a sign-in of late, which is asked for where it is needed. */
export function SessionsPanel({ email, page: asked, onPageChange }: SessionsPanelProps) {
  const list = trpc.sessions.list.useQuery();
  const ending = useEnding();
  const others = list.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const { shown, page, pages } = pageOf(currentFirst(list.data ?? []), asked);
  return (
    <Panel
      title="Where you are signed in"
      action={
        others > 0 && (
          <Button
            variant="default"
            size="xs"
            loading={ending.isPending === 'others'}
            onClick={() => ending.end('others')}
          >
            Sign out everywhere else
          </Button>
        )
      }
    >
      {list.isError && (
        <ErrorView error={list.error} title="Failed to fetch sessions" onRetry={list.refetch} />
      )}
      {list.isPending && <ListSkeleton />}
      {list.data && (
        <Stack gap="sm">
          <ul className={classes['list']}>
            {shown.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={ending.isPending === session.id}
                onEnd={() => ending.end(session.id)}
              />
            ))}
          </ul>
          {others === 0 && (
            <Text size="sm" c="dimmed">
              Nowhere else. Other browsers and devices stand here once you sign in there.
            </Text>
          )}
          <Pager page={page} pages={pages} total={list.data.length} noun="sessions" onChange={onPageChange} />
        </Stack>
      )}
      <ConfirmIdentityDialog
        email={email}
        opened={ending.isAsking}
        reason="You signed in a while ago. Show that it is you, and it is done."
        onConfirmed={ending.goOn}
        onClose={ending.giveUp}
      />
    </Panel>
  );
}

function currentFirst(sessions: Session[]): Session[] {
  return sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

function ListSkeleton() {
  return (
    <Stack gap="xs" aria-hidden="true">
      <Skeleton height={44} />
      <Skeleton height={44} />
    </Stack>
  );
}

/** One session by its id, or all but this one. */
type Ended = number | 'others';

function useEnding() {
  const { mutateAsync: endOne } = trpc.sessions.end.useMutation({ meta: { changes: 'sessions' } });
  const { mutateAsync: endOthers } = trpc.sessions.endOthers.useMutation({ meta: { changes: 'sessions' } });
  const [isPending, setPending] = useState<Ended | null>(null);
  /** Waits for the reader to show who it is. */
  const [waiting, setWaiting] = useState<Ended | null>(null);
  const end = async (what: Ended) => {
    if (isPending !== null) return;
    setPending(what);
    try {
      if (what === 'others') await endOthers();
      else await endOne({ id: what });
      toast({
        title: 'Signed out',
        description: what === 'others' ? 'You are signed out everywhere else.' : 'You are signed out there.',
      });
    } catch (refused) {
      if (failureOf(refused).code === 'FORBIDDEN') setWaiting(what);
      else toastError('Failed to sign out there. Please try again.');
    } finally {
      setPending(null);
    }
  };
  return {
    end: (what: Ended) => void end(what),
    isPending,
    isAsking: waiting !== null,
    goOn: () => {
      setWaiting(null);
      if (waiting !== null) void end(waiting);
    },
    giveUp: () => setWaiting(null),
  };
}
