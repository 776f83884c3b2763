import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ApiKey } from '#shared/api-keys.ts';

/** Deletes a key; the toast brings it back with the same value. */
export function useDeleteKey() {
  const meta = { changes: 'apiKeys' } as const;
  const restore = trpc.apiKeys.restore.useMutation({
    meta,
    onSuccess: ({ name }) => toast({ title: 'API key restored', description: `${name} works as before.` }),
    onError: (error) =>
      toast({ title: 'The API key could not be restored', description: errorMessage(error), kind: 'error' }),
  });
  const remove = trpc.apiKeys.delete.useMutation({
    meta,
    onSuccess: ({ id, name }) => {
      toast({
        title: 'API key deleted',
        description: `${name} is refused from now on.`,
        action: {
          label: 'Undo',
          altText: `Undo: restore the API key ${name} on the project's page`,
          onClick: () => restore.mutate({ id }),
        },
      });
    },
    onError: () => toastError('Failed to delete API key. Please try again.'),
  });
  return {
    remove: ({ id }: Pick<ApiKey, 'id'>, onDeleted?: () => void) => {
      // A double click deletes once; after Undo it can be deleted again.
      if (!remove.isPending) remove.mutate({ id }, { onSuccess: () => onDeleted?.() });
    },
    removingId: remove.isPending ? Number(remove.variables.id) : null,
  };
}
