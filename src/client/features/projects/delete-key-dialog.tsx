import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { ApiKey } from '#shared/api-keys.ts';

interface DeleteKeyDialogProps {
  /** `null` while nothing is to be deleted. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

export function DeleteKeyDialog({ apiKey, onClose }: DeleteKeyDialogProps) {
  const shown = useLast(apiKey);
  const remove = trpc.apiKeys.delete.useMutation({
    meta: { changes: 'apiKeys' },
    onSuccess: () => {
      onClose();
      toast({ title: 'API key deleted', description: 'The API key has been successfully deleted.' });
    },
    onError: () => toastError('Failed to delete API key. Please try again.'),
  });
  const send = useOnce(remove.mutateAsync, ({ id }) => id);
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title="Delete API key"
      confirmLabel="Delete API key"
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => apiKey && send({ id: apiKey.id })}
    >
      Calls with the key <strong>{shown?.name}</strong> are refused from now on. This cannot be undone; to
      pause a key, make it inactive instead.
    </ConfirmDialog>
  );
}
