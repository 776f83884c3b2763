import { useState } from 'react';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Collection } from '#shared/collections.ts';

interface DeleteCollectionDialogProps {
  /** `null` while nothing is to be deleted. */
  collection: Collection | null;
  onClose: () => void;
}

/** The name has to be typed where there is something to lose. */
export function DeleteCollectionDialog({ collection, onClose }: DeleteCollectionDialogProps) {
  const [last, setLast] = useState(collection);
  // What is to be deleted stays in the dialog while it fades out.
  if (collection && collection !== last) setLast(collection);
  const remove = trpc.collections.delete.useMutation({
    meta: { changes: 'collections' },
    onSuccess: () => {
      onClose();
      toast({
        title: 'Collection deleted',
        description: 'The collection has been successfully deleted.',
      });
    },
    onError: () => toastError('Failed to delete collection. Please try again.'),
  });
  const send = useOnce(remove.mutateAsync, ({ collection: id }) => id);
  const count = last?.documentCount ?? 0;
  return (
    <ConfirmDialog
      opened={collection !== null}
      title="Delete collection"
      confirmLabel="Delete collection"
      textToType={count > 0 ? last?.name : undefined}
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => collection && send({ collection: String(collection.id) })}
    >
      This permanently deletes <strong>{last?.name}</strong> and all documents in the collection
      {count > 0 && ` (${formatNumber(count)})`}. Keys and code that use it stop working at once.
    </ConfirmDialog>
  );
}
