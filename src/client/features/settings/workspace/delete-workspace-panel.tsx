import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { noteDeparture, takeDeparture } from '#client/lib/own-departures.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Membership, Workspace } from '#shared/workspaces.ts';
import { ActionRow } from '../action-row.tsx';

interface DeleteWorkspacePanelProps {
  workspace: Workspace;
  membership: Membership;
}

export function DeleteWorkspacePanel({ workspace, membership }: DeleteWorkspacePanelProps) {
  const [isAsking, setAsking] = useState(false);
  const { remove, isPending } = useDeleteWorkspace(() => setAsking(false));
  const mayDelete = membership.role === 'owner';
  return (
    <Panel title="Delete this workspace">
      <ActionRow
        text={
          mayDelete
            ? 'Its projects, collections with all their documents, and API keys go with it, for everybody.'
            : 'Its owners may delete it.'
        }
      >
        <Button
          variant="default"
          c="red"
          disabled={!mayDelete}
          leftSection={<Icon shape={trashIcon} />}
          onClick={() => setAsking(true)}
        >
          Delete workspace
        </Button>
      </ActionRow>
      <ConfirmDialog
        opened={isAsking}
        title="Delete workspace"
        confirmLabel="Delete workspace"
        textToType={workspace.name}
        isPending={isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => remove({ id: workspace.id })}
      >
        This deletes <strong dir="auto">{workspace.name}</strong>, its projects, its collections with all
        their documents, and its API keys. Whatever uses them stops working at once
        {membership.members > 1 && ', for its other members too'}.
      </ConfirmDialog>
    </Panel>
  );
}

/** The toast brings it back for as long as it is shown. */
function useDeleteWorkspace(onDeleted: () => void) {
  const restore = trpc.workspaces.restore.useMutation({
    meta: { changes: 'workspaces' },
    onSuccess: ({ name }) => toast({ title: 'Workspace restored', description: name }),
    onError: (error) =>
      toast({
        title: 'The workspace could not be restored',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  const { mutateAsync, isPending } = trpc.workspaces.delete.useMutation({
    meta: { changes: 'workspaces' },
    onMutate: ({ id }) => noteDeparture(Number(id)),
    onSuccess: ({ id, name }) => {
      onDeleted();
      toast({
        title: 'Workspace deleted',
        description: name,
        action: {
          label: 'Undo',
          altText: `Undo: restore the workspace ${name}`,
          onClick: () => restore.mutate({ id }),
        },
      });
    },
    onError: (error, { id }) => {
      takeDeparture(Number(id));
      toast({ title: 'Failed to delete workspace', description: errorMessage(error), kind: 'error' });
    },
  });
  return { remove: useOnce(mutateAsync), isPending };
}
