import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';

import type { Synonym } from '#shared/synonyms.ts';
import { useOneAtATime } from '../use-one-at-a-time.ts';

/** Deletes without asking; the toast brings it back for as long as it is shown. */
export function useDeleteSynonym(collection: number): (synonym: Synonym) => void {
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: errorMessage(error), kind: 'error' });
  const restore = trpc.synonyms.upsert.useMutation({
    meta: { changes: 'synonyms' },
    onSuccess: () => toast({ title: 'Synonym restored' }),
    onError: failed('The synonym could not be restored'),
  });
  const remove = trpc.synonyms.delete.useMutation({
    meta: { changes: 'synonyms' },
    onSuccess: (synonym) =>
      toast({
        title: 'Synonym deleted',
        description: synonym.synonyms.join(', '),
        action: {
          label: 'Undo',
          altText: 'Undo: add the synonym again on the tab Tuning',
          onClick: () => restore.mutate({ collection, ...synonym }),
        },
      }),
    onError: failed('The synonym could not be deleted'),
  });
  const send = useOneAtATime(remove.mutateAsync, ({ id }) => id);
  return ({ id }) => send({ collection, id });
}
