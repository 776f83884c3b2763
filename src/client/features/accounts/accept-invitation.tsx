import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { asRole } from '#client/lib/role-words.ts';
import { writeSelection } from '#client/lib/selection.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';

interface AcceptInvitationProps {
  token: string;
  workspace: { id: number; name: string };
  /** Whose alone it is; null: whoever has the link. */
  email: string | null;
}

/** For whoever is signed in: the deed, or what is in its way. */
export function AcceptInvitation({ token, workspace, email }: AcceptInvitationProps) {
  const { user, logout } = useAuth();
  const navigate = useNavigate();
  const own = trpc.workspaces.list.useQuery();
  const open = () => {
    writeSelection({ workspaceId: workspace.id, projectId: null });
    return navigate({ to: '/dashboard' });
  };
  const accept = trpc.invitations.accept.useMutation({
    meta: { changes: 'workspaces' },
    onSuccess: async ({ role }) => {
      await open();
      toast({ title: `You joined ${workspace.name}`, description: `You are in ${asRole(role)}.` });
    },
  });
  const send = useOnce(accept.mutateAsync);
  const standing = own.data?.find(({ id }) => id === workspace.id);
  if (standing)
    return (
      <>
        <Text size="sm">You are in this workspace already, {asRole(standing.role)}.</Text>
        <Button size="md" fullWidth onClick={open}>
          Open workspace
        </Button>
      </>
    );
  const isAnothers = email !== null && email !== user?.email.trim().normalize('NFKC').toLowerCase();
  return (
    <>
      {accept.error && <FormFailure error={accept.error} fallback="The invitation was not accepted" />}
      <Text size="sm">
        {isAnothers ? `It is for ${email}, and you` : 'You'} are signed in as <strong>{user?.email}</strong>.
      </Text>
      {!isAnothers && (
        <Button size="md" fullWidth loading={accept.isPending} onClick={() => send({ token })}>
          Accept invitation
        </Button>
      )}
      <Button size="md" fullWidth variant="default" onClick={() => void logout()}>
        Use another account
      </Button>
    </>
  );
}
