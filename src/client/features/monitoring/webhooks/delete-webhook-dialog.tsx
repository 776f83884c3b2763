import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Webhook } from '#shared/webhooks.ts';

interface DeleteWebhookDialogProps {
  /** `null` while nothing is to be deleted. */
  webhook: Webhook | null;
  onClose: () => void;
}

export function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  const shown = useLast(webhook);
  const remove = trpc.webhooks.delete.useMutation({
    meta: { changes: 'webhooks' },
    onSuccess: ({ name }) => {
      onClose();
      toast({ title: 'Webhook deleted', description: name });
    },
    onError: () => toastError('Failed to delete the webhook. Please try again.'),
  });
  const send = useOnce(remove.mutateAsync, ({ id }) => id);
  return (
    <ConfirmDialog
      opened={webhook !== null}
      title="Delete webhook"
      confirmLabel="Delete webhook"
      isPending={remove.isPending}
      onConfirm={() => webhook && send({ id: webhook.id })}
      onClose={onClose}
    >
      This deletes the webhook <bdi>{shown?.name}</bdi> and its secret. What waits to be sent to it is not
      sent any more.
    </ConfirmDialog>
  );
}
