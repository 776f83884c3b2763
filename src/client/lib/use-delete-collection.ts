import type { Collection } from '#shared/collections.ts';
import { type ToastContent, toast, toastError } from './toast.ts';
import { trpc } from './trpc.ts';

interface DeleteCollectionOptions {
  /** Before the toast. */
  onDeleted?: () => void;
  /** The toast's button. */
  actionFor?: (collection: Collection) => ToastContent['action'];
}

export interface DeleteCollection {
  /** Rejects after a failure, which a toast has said. */
  remove(id: number): Promise<unknown>;
  /** The one on its way out; lists still show it. */
  removingId: number | null;
}

/** Deletes a collection and says so. */
export function useDeleteCollection({
  onDeleted,
  actionFor,
}: DeleteCollectionOptions = {}): DeleteCollection {
  const { mutateAsync, isPending, variables } = trpc.collections.delete.useMutation({
    meta: { changes: 'collections' },
    onSuccess: (collection) => {
      onDeleted?.();
      const action = actionFor?.(collection);
      toast({
        title: 'Collection deleted',
        description: 'The collection has been successfully deleted.',
        ...(action ? { action } : {}),
      });
    },
    onError: () => toastError('Failed to delete collection. Please try again.'),
  });
  return {
    remove: (id) => mutateAsync({ collection: id }),
    removingId: isPending && variables ? Number(variables.collection) : null,
  };
}
