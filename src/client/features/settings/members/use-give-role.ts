import { useAuth } from '#client/lib/auth-provider.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { asRole, roleWords } from '#client/lib/role-words.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Member } from '#shared/members.ts';
import type { Role } from '#shared/roles.ts';
import { nameOf } from './name-of.ts';

/** Gives a member another role; the toast takes it back, unless it was the reader's own, who may not give it again. */
export function useGiveRole(workspaceId: number) {
  const { user } = useAuth();
  const update = trpc.members.update.useMutation({
    meta: { changes: 'members' },
    onError: (error) =>
      toast({ title: 'The role was not changed', description: errorMessage(error), kind: 'error' }),
  });
  const { mutate, isPending, variables } = update;
  const give = (member: Member, role: Role) => {
    if (role === member.role || isPending) return;
    const input = { workspaceId, userId: member.id };
    const undo = {
      label: 'Undo',
      altText: `Undo: make ${nameOf(member)} ${roleWords[member.role].label} again`,
      onClick: () => mutate({ ...input, role: member.role }),
    };
    mutate(
      { ...input, role },
      {
        onSuccess: () =>
          toast({
            title: 'Role changed',
            description: `${nameOf(member)} goes on ${asRole(role)}.`,
            ...(member.id === user?.id ? {} : { action: undo }),
          }),
      },
    );
  };
  return { give, pendingId: isPending ? variables.userId : null };
}
