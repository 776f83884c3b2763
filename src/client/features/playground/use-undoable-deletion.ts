import { errorMessage } from '#client/lib/error-message.ts';
import { isRecord, parseJson } from '#client/lib/json.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Answered } from './use-sender.ts';

/** A collection that was deleted comes back by the toast that says so. */
export function useUndoableDeletion(): (answered: Answered) => void {
  const restore = trpc.collections.restore.useMutation({
    meta: { changes: 'collections' },
    onSuccess: ({ name }) => toast({ title: 'Collection restored', description: name }),
    onError: (error) =>
      toast({
        title: 'The collection could not be restored',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  return ({ endpoint, response }) => {
    const deleted = parseJson(response.data);
    const isOne = endpoint.id === 'collections.delete' && response.status === 200 && isRecord(deleted);
    if (!isOne || typeof deleted['id'] !== 'number') return;
    const { id } = deleted;
    toast({
      title: 'Collection deleted',
      description: 'The collection has been successfully deleted.',
      action: {
        label: 'Undo',
        altText: `Undo: restore the collection ${String(deleted['name'])} on its project's page`,
        onClick: () => restore.mutate({ id }),
      },
    });
  };
}
