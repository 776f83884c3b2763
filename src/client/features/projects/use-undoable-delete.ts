import { useRef } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useDeleteCollection } from '#client/lib/use-delete-collection.ts';

/** Deletes a collection without asking; the toast brings it back for as long as it is shown. */
export function useUndoableDelete(): { remove: (id: number) => void; removingId: number | null } {
  const running = useRef(new Set<number>());
  const restore = trpc.collections.restore.useMutation({
    meta: { changes: 'collections' },
    onSuccess: (collection) => toast({ title: 'Collection restored', description: collection.name }),
    onError: (error) =>
      toast({
        title: 'The collection could not be restored',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  const { remove, removingId } = useDeleteCollection({
    actionFor: ({ id, name }) => ({
      label: 'Undo',
      altText: `Undo: restore the collection ${name} on the project's page`,
      onClick: () => restore.mutate({ id }),
    }),
  });
  return {
    removingId,
    /** A double click deletes once; after Undo it can be deleted again. */
    remove: (id) => {
      if (running.current.has(id)) return;
      running.current.add(id);
      const release = () => running.current.delete(id);
      // A failure has been said.
      remove(id).then(release, release);
    },
  };
}
