import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { ApiKey } from '#shared/api-keys.ts';

interface DeleteKeyDialogProps {
  /** `null` while nothing is to be deleted. */
  apiKey: ApiKey | null;
  isPending: boolean;
  onConfirm: (apiKey: ApiKey) => void;
  onClose: () => void;
}

/** Asks before a key that is in use stops: Undo brings it back, but not the calls that were refused meanwhile. */
export function DeleteKeyDialog({ apiKey, isPending, onConfirm, onClose }: DeleteKeyDialogProps) {
  const shown = useLast(apiKey);
  const requests = shown?.requestsLast24h ?? 0;
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title="Delete API key"
      confirmLabel="Delete API key"
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => apiKey && onConfirm(apiKey)}
    >
      <strong>{shown?.name}</strong> is in use: it sent {formatNumber(requests)}{' '}
      {requests === 1 ? 'request' : 'requests'} in the last 24 hours. Further ones are refused from the moment
      it is deleted. To pause a key, make it inactive instead; to change its value, rotate it.
    </ConfirmDialog>
  );
}
