import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { roleWords } from '#client/lib/role-words.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { NewInvitation } from '#shared/invitations.ts';
import type { Role } from '#shared/roles.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';
import { InvitationMade } from './invitation-made.tsx';
import { RoleSelect } from './role-select.tsx';

interface InviteDialogProps {
  opened: boolean;
  workspace: OwnWorkspace;
  onClose: () => void;
}

export function InviteDialog({ opened, workspace, onClose }: InviteDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Invite member">
      <Steps workspace={workspace} onClose={onClose} />
    </Dialog>
  );
}

/** Inside the modal, so that it starts afresh each time, and the link is gone when it closes. */
function Steps({ workspace, onClose }: Omit<InviteDialogProps, 'opened'>) {
  const [made, setMade] = useState<NewInvitation | null>(null);
  if (made) return <InvitationMade invitation={made} onClose={onClose} />;
  return <InviteForm workspace={workspace} onMade={setMade} onClose={onClose} />;
}

interface InviteFormProps {
  workspace: OwnWorkspace;
  onMade: (invitation: NewInvitation) => void;
  onClose: () => void;
}

function InviteForm({ workspace, onMade, onClose }: InviteFormProps) {
  const [error, setError] = useState<unknown>(null);
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'viewer' },
    validate: laterSentences(async () => (await import('#shared/invitations.ts')).invitationForm),
  });
  const create = trpc.invitations.create.useMutation({
    meta: { changes: 'invitations' },
    // The answer holds the link.
    gcTime: 0,
    onSuccess: onMade,
    onError: (refused) => setError(showFieldErrors(form, refused) ? null : refused),
  });
  const send = useOnce(create.mutateAsync);
  const submit = form.onSubmit(({ email, role }) => {
    setError(null);
    const given = email.trim();
    send({ workspaceId: workspace.id, role, ...(given === '' ? {} : { email: given }) });
  });
  return (
    <DialogForm
      submitLabel="Create invitation"
      isPending={create.isPending}
      error={error}
      fallback="The invitation was not created"
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextInput
        label="Email"
        type="email"
        description="Only an account with it can accept then. Without one, whoever has the link can."
        placeholder="ada@example.org (optional)"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleSelect
        label="Role"
        description={`${roleWords[form.values.role].may}.`}
        most={workspace.role}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
      />
    </DialogForm>
  );
}
