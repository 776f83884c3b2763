import { useRef } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';

/** Deletes a collection without asking; the toast brings it back for as long as it is shown. */
export function useUndoableDelete() {
  const running = useRef(new Set<number>());
  const restore = trpc.collections.restore.useMutation({
    meta: { changes: 'collections' },
    onSuccess: (collection) => {
      toast({ title: 'Collection restored', description: collection.name });
    },
    onError: (error) =>
      toast({
        title: 'The collection could not be restored',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  const remove = trpc.collections.delete.useMutation({
    meta: { changes: 'collections' },
    onSuccess: ({ id, name }) => {
      toast({
        title: 'Collection deleted',
        description: 'The collection has been successfully deleted.',
        action: {
          label: 'Undo',
          altText: `Undo: restore the collection ${name} on the project's page`,
          onClick: () => restore.mutate({ id }),
        },
      });
    },
    onError: () => toastError('Failed to delete collection. Please try again.'),
  });
  /** A double click deletes once; after Undo it can be deleted again. */
  const start = ({ id }: Collection) => {
    if (running.current.has(id)) return;
    running.current.add(id);
    const release = () => running.current.delete(id);
    // A failure is said by `onError` above.
    remove.mutateAsync({ collection: String(id) }).then(release, release);
  };
  return {
    start,
    isPending: (collection: Collection) =>
      remove.isPending && remove.variables.collection === String(collection.id),
  };
}
