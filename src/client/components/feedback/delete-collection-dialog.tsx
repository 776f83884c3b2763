import { formatNumber } from '#client/lib/format.ts';
import { useDeleteCollection } from '#client/lib/use-delete-collection.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Collection } from '#shared/collections.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteCollectionDialogProps {
  /** `null` while nothing is to be deleted. */
  collection: Collection | null;
  onClose: () => void;
  /** Before the toast that says so. */
  onDeleted?: () => void;
}

/** The name has to be typed where there is something to lose. */
export function DeleteCollectionDialog({
  collection,
  onClose,
  onDeleted = onClose,
}: DeleteCollectionDialogProps) {
  const shown = useLast(collection);
  const { remove, removingId } = useDeleteCollection({ onDeleted });
  const send = useOnce(remove, (id) => id);
  const count = shown?.documentCount ?? 0;
  return (
    <ConfirmDialog
      opened={collection !== null}
      title="Delete collection"
      confirmLabel="Delete collection"
      textToType={count > 0 ? shown?.name : undefined}
      isPending={removingId !== null}
      onClose={onClose}
      onConfirm={() => collection && send(collection.id)}
    >
      This permanently deletes <strong>{shown?.name}</strong> and all documents in the collection
      {count > 0 && ` (${formatNumber(count)})`}. Searches and writes of it are refused at once; keys stay.
    </ConfirmDialog>
  );
}
