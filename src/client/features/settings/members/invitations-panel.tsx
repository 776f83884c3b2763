import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';
import { InvitationRow } from './invitation-row.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import classes from './rows.module.css';

/** Links that were neither accepted nor revoked. */
export function InvitationsPanel({ workspace }: { workspace: OwnWorkspace }) {
  const [isInviting, setInviting] = useState(false);
  const list = trpc.invitations.list.useQuery({ workspaceId: workspace.id });
  const revoke = trpc.invitations.delete.useMutation({
    meta: { changes: 'invitations' },
    onSuccess: () => toast({ title: 'Invitation revoked', description: 'Its link is not good any more.' }),
    onError: (error) =>
      toast({ title: 'The invitation was not revoked', description: errorMessage(error), kind: 'error' }),
  });
  return (
    <Panel
      title="Invitations"
      action={
        <Button leftSection={<Icon shape={plusIcon} />} onClick={() => setInviting(true)}>
          Invite member
        </Button>
      }
    >
      {list.isError && (
        <ErrorView error={list.error} title="Failed to fetch invitations" onRetry={list.refetch} />
      )}
      {list.isPending && <Skeleton height={44} aria-hidden="true" />}
      {list.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody is invited. An invitation is a link that is good once, for the role that you choose.
        </Text>
      )}
      {list.data && (
        <ul className={classes['list']}>
          {list.data.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              isPending={revoke.isPending && revoke.variables.id === invitation.id}
              onRevoke={() => revoke.mutate({ id: invitation.id })}
            />
          ))}
        </ul>
      )}
      <InviteDialog opened={isInviting} workspace={workspace} onClose={() => setInviting(false)} />
    </Panel>
  );
}
