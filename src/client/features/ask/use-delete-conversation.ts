import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** Deletes a conversation without asking; the toast brings it back. */
export function useDeleteConversation(onDeleted: () => unknown): (id: number) => void {
  const meta = { changes: 'conversations' } as const;
  const restore = trpc.conversations.restore.useMutation({
    meta,
    onSuccess: ({ name }) => {
      tellOtherTabs();
      toast({ title: 'Conversation restored', description: name });
    },
    onError: (error) =>
      toast({
        title: 'The conversation could not be restored',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  const remove = trpc.conversations.delete.useMutation({
    meta,
    onSuccess: async ({ id, name }) => {
      tellOtherTabs();
      // Its page must not ask for what is gone.
      await onDeleted();
      toast({
        title: 'Conversation deleted',
        description: name,
        action: {
          label: 'Undo',
          altText: 'Undo: restore the conversation on the page Ask Vector',
          onClick: () => restore.mutate({ id }),
        },
      });
    },
    onError: (error) =>
      toast({
        title: 'The conversation could not be deleted',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  return (id) => {
    // A double click deletes once; after Undo it can be deleted again.
    if (!remove.isPending) remove.mutate({ id });
  };
}
