import { Button } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { noteDeparture, takeDeparture } from '#client/lib/own-departures.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Membership, Workspace } from '#shared/workspaces.ts';
import { ActionRow } from '../action-row.tsx';

interface LeaveWorkspacePanelProps {
  workspace: Workspace;
  membership: Membership;
}

export function LeaveWorkspacePanel({ workspace, membership }: LeaveWorkspacePanelProps) {
  const [isAsking, setAsking] = useState(false);
  const leave = trpc.workspaces.leave.useMutation({
    meta: { changes: 'workspaces' },
    onMutate: ({ id }) => noteDeparture(Number(id)),
    onSuccess: ({ name }) => {
      setAsking(false);
      toast({ title: 'Workspace left', description: name });
    },
    onError: (error, { id }) => {
      takeDeparture(Number(id));
      toast({ title: 'You did not leave the workspace', description: errorMessage(error), kind: 'error' });
    },
  });
  const send = useOnce(leave.mutateAsync);
  const obstacle = obstacleTo(membership);
  return (
    <Panel title="Leave this workspace">
      <ActionRow text={obstacle ?? 'You see nothing of it any more. Its other members go on as before.'}>
        <Button variant="default" disabled={obstacle !== null} onClick={() => setAsking(true)}>
          Leave workspace
        </Button>
      </ActionRow>
      <ConfirmDialog
        opened={isAsking}
        title="Leave workspace"
        confirmLabel="Leave workspace"
        isPending={leave.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => send({ id: workspace.id })}
      >
        You leave <strong dir="auto">{workspace.name}</strong> at once. An owner or admin can invite you
        again.
      </ConfirmDialog>
    </Panel>
  );
}

function obstacleTo({ role, members, owners }: Membership): string | null {
  if (role !== 'owner' || owners > 1) return null;
  if (members === 1) return 'You are alone in it. Delete it if you do not need it any more.';
  return 'You are its only owner. Make somebody else an owner first, or delete it.';
}
