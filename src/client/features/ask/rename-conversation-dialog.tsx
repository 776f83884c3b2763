import { useForm } from '@mantine/form';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Conversation } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';
import { tellOtherTabs } from './other-tabs.ts';

interface RenameConversationDialogProps {
  /** Null while none is renamed. */
  conversation: Pick<Conversation, 'id' | 'name'> | null;
  onClose: () => void;
}

export function RenameConversationDialog({ conversation, onClose }: RenameConversationDialogProps) {
  const shown = useLast(conversation);
  return (
    <Dialog opened={conversation !== null} onClose={onClose} title="Rename conversation">
      {shown && <RenameForm key={shown.id} conversation={shown} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({
  conversation: { id, name },
  onClose,
}: { conversation: Pick<Conversation, 'id' | 'name'> } & Pick<RenameConversationDialogProps, 'onClose'>) {
  const form = useForm({ initialValues: { name } });
  const update = trpc.conversations.update.useMutation({
    meta: { changes: 'conversations' },
    onSuccess: (renamed) => {
      tellOtherTabs();
      onClose();
      toast({ title: 'Conversation renamed', description: renamed.name });
    },
  });
  const send = useOnce(update.mutateAsync);
  return (
    <DialogForm
      submitLabel="Rename"
      isPending={update.isPending}
      isReady={form.values.name.trim() !== ''}
      error={update.error}
      onCancel={onClose}
      onSubmit={form.onSubmit((values) => send({ id, name: values.name }))}
    >
      <NameField maxLength={limits.nameCharactersMax} {...form.getInputProps('name')} />
    </DialogForm>
  );
}
