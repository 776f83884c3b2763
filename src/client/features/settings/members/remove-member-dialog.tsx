import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { Member } from '#shared/members.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';
import { nameOf } from './name-of.ts';

interface RemoveMemberDialogProps {
  workspace: OwnWorkspace;
  /** Null: nobody is being removed. */
  member: Member | null;
  onClose: () => void;
}

export function RemoveMemberDialog({ workspace, member, onClose }: RemoveMemberDialogProps) {
  const remove = trpc.members.remove.useMutation({
    meta: { changes: 'members' },
    onSuccess: (removed) => {
      onClose();
      toast({ title: 'Member removed', description: nameOf(removed) });
    },
    onError: (error) =>
      toast({ title: 'The member was not removed', description: errorMessage(error), kind: 'error' }),
  });
  const shown = useLast(member);
  return (
    <ConfirmDialog
      opened={member !== null}
      title="Remove member"
      confirmLabel="Remove member"
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => member && remove.mutate({ workspaceId: workspace.id, userId: member.id })}
    >
      <strong dir="auto">{shown && nameOf(shown)}</strong> loses <strong dir="auto">{workspace.name}</strong>{' '}
      at once, wherever they are signed in. What they made stays, API keys too: delete or disable keys that
      they should not have any more.
    </ConfirmDialog>
  );
}
